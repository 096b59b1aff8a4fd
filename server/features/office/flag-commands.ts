import { flagsIn, flagsOf } from '#contract/flags.ts';
import { writeAuditEntry } from '#server/kit/audit.ts';
import {
  UsageError,
  formatTable,
  type CommandArguments,
  type Command,
  type CommandContext,
} from '#server/kit/command.ts';
import { officesOf } from '#server/kit/db/office-directory.ts';
import { sendHint } from '#server/kit/db/statements.ts';
import type { OfficeScope } from '#server/context.ts';
import { allOffices, knownPerson, operatorScope, findOperatorScope } from './directory.ts';
import { featuresOf, flagLayersOf, withOfficeSetting } from './flags.ts';
import { everyPerson, setPersonSettings } from './people-sql.ts';
import { deleteGlobalSetting, globalSettings, readOfficeUncached, setGlobalSetting, setOfficeSettings } from './sql.ts';

type Settings = Record<string, unknown>;

export const flagCommands: readonly Command[] = [
  {
    name: 'flags list',
    takes: '[--office NPI] [--person EMAIL|NUMBER]',
    says: 'Who switched what on or off; or what is on for one office or person',
    options: ['office', 'person'],
    run: list,
  },
  {
    name: 'flags set',
    takes: 'NAME on|off|unset [--office NPI | --person EMAIL|NUMBER]',
    says: 'Switches a flag for everybody, one office or one person; unset leaves it to the next',
    options: ['office', 'person'],
    run: set,
  },
];

/** The flags the product uses, for the list. */
const knownFlags = ['clearBrowserData', 'disableCheckin', 'sendSMSEnabled', 'useOldFormsScreen'];

async function list(desk: CommandContext, { options }: CommandArguments): Promise<void> {
  const { services, say } = desk;
  if (options.person !== undefined || options.office !== undefined) {
    const flags = await flagsFor(desk, options);
    const names = [...new Set([...knownFlags, ...Object.keys(flags)])].sort();
    for (const line of formatTable(
      ['FLAG', 'IS'],
      names.map((name) => [name, word(flags[name])]),
    ))
      say(line);
    return;
  }
  const global = await globalSettings(services.db);
  const offices = (await allOffices(services)).map(({ npi, settings }) => ({
    who: npi,
    settings: ofOffice(settings as Settings),
  }));
  const people = (await everyPerson(services.db)).map(({ name, settings }) => ({
    who: name,
    settings: settings as Settings,
  }));
  const everybody = { ...global, ...featuresOf(global) };
  const names = new Set([
    ...knownFlags,
    ...[everybody, ...[...offices, ...people].map(({ settings }) => settings)].flatMap(flagsIn),
  ]);
  const flagTexts = (among: { who: string; settings: Settings }[], name: string) =>
    among.flatMap(({ who, settings }) =>
      typeof settings[name] === 'boolean' ? [`${who} ${word(settings[name])}`] : [],
    );
  const rows = [...names]
    .sort()
    .map((name) => [
      name,
      word(everybody[name]),
      [...flagTexts(offices, name), ...flagTexts(people, name)].join(', ') || '-',
    ]);
  for (const line of formatTable(['FLAG', 'FOR EVERYBODY', 'BUT'], rows)) say(line);
}

async function flagsFor(
  { services }: CommandContext,
  options: CommandArguments['options'],
): Promise<Record<string, boolean>> {
  const scope = options.office === undefined ? null : await findOperatorScope(services, options.office);
  const person = options.person === undefined ? null : await knownPerson(services, options.person);
  const office = scope
    ? { id: scope.officeId }
    : person
      ? ((await officesOf(services.db, person.id))[0] ?? null)
      : null;
  const layers = await flagLayersOf(services, { personId: person?.id ?? null, office });
  return flagsOf(layers);
}

async function set(desk: CommandContext, { operands, options }: CommandArguments): Promise<void> {
  const [name = '', wanted = ''] = operands;
  if (!/^[a-z][A-Za-z0-9]{1,60}$/.test(name)) throw new UsageError(`"${name}" is no name of a flag.`);
  if (!['on', 'off', 'unset'].includes(wanted)) throw new UsageError(`Shall ${name} be on, off or unset?`);
  if (options.office !== undefined && options.person !== undefined)
    throw new UsageError('Give --office or --person, not both.');
  const value = wanted === 'unset' ? undefined : wanted === 'on';
  const who =
    options.person !== undefined
      ? await setForPerson(desk, name, value, options.person)
      : options.office !== undefined
        ? await setForOffice(desk, name, value, options.office)
        : await setForAll(desk, name, value);
  desk.say(`${name} is ${wanted} for ${who}.`);
}

async function setForAll({ services }: CommandContext, name: string, value: boolean | undefined): Promise<string> {
  if (value === undefined) await deleteGlobalSetting(services.db, name);
  else await setGlobalSetting(services.db, name, value);
  for (const { id } of await allOffices(services)) await tellOf(operatorScope(services, id), 'everybody', name, value);
  return 'everybody who has no setting of their own';
}

async function setForOffice(
  { services }: CommandContext,
  name: string,
  value: boolean | undefined,
  npi: string,
): Promise<string> {
  const scope = await findOperatorScope(services, npi);
  return scope.transaction(async (tx) => {
    const office = await readOfficeUncached(tx, scope.officeId);
    await setOfficeSettings(tx, scope.officeId, withOfficeSetting(office.settings, name, value));
    await tellOf(scope, 'office', name, value);
    return office.name;
  });
}

async function setForPerson(
  { services }: CommandContext,
  name: string,
  value: boolean | undefined,
  username: string,
): Promise<string> {
  const person = await knownPerson(services, username);
  await setPersonSettings(services.db, person.id, withFlag(person.settings, name, value));
  for (const { id } of await officesOf(services.db, person.id))
    await tellOf(operatorScope(services, id), person.id, name, value);
  return person.name || username;
}

async function tellOf(scope: OfficeScope, subject: string, flag: string, value: boolean | undefined): Promise<void> {
  await scope.transaction(async (tx) => {
    await writeAuditEntry(tx, scope, { action: 'flags.change', subject, details: { flag, value: value ?? null } });
    await sendHint(tx, { office: scope.officeId, type: 'settings' });
  });
}

function withFlag(settings: Settings, name: string, value: boolean | undefined): Settings {
  const { [name]: _, ...others } = settings;
  return value === undefined ? others : { ...others, [name]: value };
}

const ofOffice = (settings: Settings): Settings => ({ ...settings, ...featuresOf(settings) });
const word = (value: unknown) => (typeof value === 'boolean' ? (value ? 'on' : 'off') : 'not set');
