import { hasCheckDigit } from '#contract/practice/office.ts';
import { addressLine, cityLine } from '#contract/practice/address-line.ts';
import { writeAuditEntry } from '#server/kit/audit.ts';
import { markMerchantLinks } from '#server/merchant-links.ts';
import { lockIdleSessions } from '#server/session-lock.ts';
import {
  UsageError,
  formatTable,
  type CommandArguments,
  type Command,
  type CommandContext,
} from '#server/kit/command.ts';
import { officeIdByNpi, officesOf } from '#server/kit/db/office-directory.ts';
import { checkInPage } from '#server/office-row.ts';
import { northAmericanPhone, usPhone } from '#server/kit/phone.ts';
import { addOffice, settingsOfNewPractice, addStaff } from './add-office.ts';
import { changeOffice, knownTimeZone, officeKeys } from './change-office.ts';
import { allOffices, knownPerson, operatorScope, findOperatorScope, personBy, staffOf } from './directory.ts';
import { createProvisionalNpi } from './npi-numbers.ts';
import { deleteMembership, insertMembership, revokeInvitationsBy, setPersonSettings } from './people-sql.ts';
import { rentOfficeNumber } from './rent-number.ts';
import { npisOf, readOfficeUncached } from './sql.ts';

const addOptions = [
  'npi',
  'name',
  'address',
  'city',
  'state',
  'zip',
  'time-zone',
  'text-number',
  'email',
  'emr',
] as const;

export const officeCommands: readonly Command[] = [
  { name: 'office list', takes: '', says: 'Every office of this installation', run: list },
  { name: 'office show', takes: 'NPI', says: 'One office with its settings and its people', run: showOffice },
  {
    name: 'office add',
    takes:
      '--npi NPI --name NAME --address LINE --city CITY --state XX --zip ZIP --time-zone ZONE --text-number NUMBER [--email EMAIL] [--emr NAME] [--signed] [--shared]',
    says: 'Adds an office; --signed: its agreement is signed, --shared: its NPI is that of another office too',
    options: addOptions,
    switches: ['signed', 'shared'],
    run: add,
  },
  {
    name: 'office set',
    takes: 'NPI key=value …',
    says: `Changes an office. Keys: npi, ${Object.keys(officeKeys).join(', ')}, settings.NAME, queue.NAME`,
    switches: ['shared'],
    run: set,
  },
  {
    name: 'office rent-number',
    takes: 'NPI',
    says: 'Rents a number from the carrier for the texts of an office, in place of the one it has; the carrier bills it',
    run: rentNumber,
  },
  {
    name: 'office staff',
    takes: 'NPI EMAIL|NUMBER [--name NAME] [--remove]',
    says: 'Adds a person to an office, or removes them from it',
    options: ['name'],
    switches: ['remove'],
    run: staff,
  },
  {
    name: 'office view',
    takes: 'NPI EMAIL|NUMBER [--doctor EMAIL|NUMBER]',
    says: "Gives a person a colleague's view and flags (visible doctor); without --doctor takes it away",
    options: ['doctor'],
    run: view,
  },
];

async function list({ services, say }: CommandContext): Promise<void> {
  const offices = await allOffices(services);
  const rows = await Promise.all(
    offices.map(async (office) => [
      office.npi,
      office.name,
      cityLine({ ...office, zip: '' }),
      office.agreementSignedAt ? 'signed' : 'not signed',
      String((await staffOf(operatorScope(services, office.id))).length),
    ]),
  );
  if (rows.length === 0) say('No offices yet: script/anteroom office add makes the first.');
  else for (const line of formatTable(['NPI', 'OFFICE', 'PLACE', 'AGREEMENT', 'STAFF'], rows)) say(line);
}

async function showOffice({ services, say }: CommandContext, { operands }: CommandArguments): Promise<void> {
  const scope = await findOperatorScope(services, operands[0]);
  const { office, npis } = await scope.transaction(async (tx) => ({
    office: await readOfficeUncached(tx, scope.officeId),
    npis: await npisOf(tx, scope.officeId),
  }));
  const before = npis.filter(({ current }) => !current).map(({ npi }) => npi);
  const people = await staffOf(scope);
  const facts: [string, string][] = [
    ['name', office.name],
    [
      'NPI',
      `${office.npi}${office.npiProvisional ? ' (provisional)' : ''}${before.length > 0 ? `, before: ${before.join(', ')}` : ''}`,
    ],
    ['id', office.id],
    ['address', addressLine(office)],
    ['time zone', office.timeZone],
    ['text number', office.textNumber ?? 'none until it is confirmed'],
    ['email', office.email ?? '-'],
    ['website', office.url ?? '-'],
    ['software', office.emr],
    ['referral code', office.refCode ?? '-'],
    ['agreement', office.agreementSignedAt ? `signed ${office.agreementSignedAt.toISOString()}` : 'not signed'],
    ['check-in page', checkInPage(office, services.env.publicUrl)],
    ['settings', JSON.stringify(office.settings)],
    ['queue', JSON.stringify(office.queueSettings)],
    ...people.map(({ name, usernames }): [string, string] => [
      'staff',
      [name, ...usernames].filter(Boolean).join(', '),
    ]),
  ];
  for (const [what, value] of facts) say(`${what.padEnd(14)}${value}`);
}

async function add(
  { services, owner, say }: CommandContext,
  { options, switches, operands }: CommandArguments,
): Promise<void> {
  if (operands.length > 0)
    throw new UsageError(`"${operands[0]}" was not expected: write names with spaces in quotes.`);
  const optionValue = (name: (typeof addOptions)[number]) => {
    const value = options[name]?.trim();
    if (!value) throw new UsageError(`--${name} is missing.`);
    return value;
  };
  const npi = optionValue('npi');
  const textNumber = northAmericanPhone(optionValue('text-number'));
  if (!hasCheckDigit(npi)) throw new UsageError(`${npi} is no NPI: ten digits, the last one a check digit.`);
  if (!textNumber) throw new UsageError('--text-number must be a US number.');
  const isShared = await mayUse(services, npi, switches.has('shared'));
  const checkInNpi = isShared ? await owner.transaction().execute((tx) => createProvisionalNpi(tx)) : null;
  const officeId = await addOffice(owner, services, {
    npi,
    checkInNpi,
    textNumber,
    name: optionValue('name'),
    addressLine1: optionValue('address'),
    city: optionValue('city'),
    state: optionValue('state'),
    zip: optionValue('zip'),
    timeZone: knownTimeZone(optionValue('time-zone')),
    email: options.email?.trim() || null,
    emr: options.emr?.trim() || 'N/A',
    agreementSignedAt: switches.has('signed') ? services.now() : null,
    settings: settingsOfNewPractice,
    firstStepsShown: true,
  });
  const scope = operatorScope(services, officeId);
  await scope.transaction((tx) => writeAuditEntry(tx, scope, { action: 'office.add', subject: 'office' }));
  say(
    `Added ${optionValue('name')} (${npi}). Its check-in page: ${checkInPage({ npi, checkInNpi }, services.env.publicUrl)}`,
  );
  say(`Now add its people: script/anteroom office staff ${npi} EMAIL --name NAME`);
}

async function set({ services, say }: CommandContext, { operands, switches }: CommandArguments): Promise<void> {
  const scope = await findOperatorScope(services, operands[0]);
  const pairs = operands.slice(1).map((word): [string, string] => {
    const at = word.indexOf('=');
    if (at < 1) throw new UsageError(`"${word}" is not key=value.`);
    return [word.slice(0, at), word.slice(at + 1)];
  });
  if (pairs.length === 0) throw new UsageError('What shall be set? Give key=value.');
  const npi = pairs.find(([key]) => key === 'npi')?.[1];
  if (npi !== undefined) await mayUse(services, npi, switches.has('shared'), scope.officeId);
  await changeOffice(scope, pairs);
  say(`Set ${pairs.map(([key]) => key).join(', ')} of ${npi ?? operands[0]}.`);
}

async function rentNumber({ services, say }: CommandContext, { operands }: CommandArguments): Promise<void> {
  const scope = await findOperatorScope(services, operands[0]);
  const { name, before, number } = await rentOfficeNumber(scope);
  const replies = before === null ? '' : `; replies to ${before} find it no more`;
  say(`Texts of ${name} come from ${number} now${replies}.`);
}

/** An NPI leads its patients to one office's page, so sharing it must be explicit. Returns whether another office has it. */
async function mayUse(
  services: CommandContext['services'],
  npi: string,
  shared: boolean,
  by?: string,
): Promise<boolean> {
  const officeId = await officeIdByNpi(services.pool, npi);
  if (officeId && officeId !== by && !shared)
    throw new UsageError(`Another office goes by ${npi}, and /c/${npi} is its page. If both share it, say --shared.`);
  return officeId !== null && officeId !== by;
}

async function staff(
  { services, owner, say }: CommandContext,
  { operands, options, switches }: CommandArguments,
): Promise<void> {
  const scope = await findOperatorScope(services, operands[0]);
  const username = operands[1];
  if (!username) throw new UsageError('Who? Give the email address or US mobile number they sign in with.');
  const known = await personBy(services, username);
  const belongs =
    known !== undefined && (await officesOf(services.db, known.id)).some(({ id }) => id === scope.officeId);
  if (switches.has('remove')) {
    if (!known || !belongs) throw new UsageError(`${username} does not belong to this office.`);
    await scope.transaction(async (tx) => {
      await markMerchantLinks(tx, scope.officeId, scope.now());
      await lockIdleSessions(tx, scope.officeId, scope.now(), known.id);
      await deleteMembership(tx, scope.officeId, known.id);
      await revokeInvitationsBy(tx, scope.officeId, known.id, scope.now());
      await writeAuditEntry(tx, scope, { action: 'staff.remove', subject: known.id });
    });
    say(`Removed ${known.name || username}: they see nothing of this office from now on.`);
    return;
  }
  if (belongs) throw new UsageError(`${username} belongs to this office already.`);
  const personId = known?.id ?? (await addPerson({ services, owner }, username, options.name));
  await scope.transaction(async (tx) => {
    const { officeId } = scope;
    await insertMembership(tx, { officeId, id: scope.id(), personId, createdAt: scope.now(), ...identityOf(username) });
    await writeAuditEntry(tx, scope, { action: 'staff.add', subject: personId });
  });
  say(`Added ${known?.name || options.name?.trim() || username}. They sign in with ${username} and a one-time code.`);
}

async function addPerson(
  { services, owner }: Pick<CommandContext, 'services' | 'owner'>,
  username: string,
  name = '',
): Promise<string> {
  if (name.trim() === '') throw new UsageError(`Nobody signs in with ${username} yet: give --name too.`);
  return addStaff(owner, services, { name: name.trim(), ...identityOf(username) }, []);
}

function identityOf(username: string): { email?: string; phone?: string } {
  if (username.includes('@')) return { email: username.trim().toLowerCase() };
  const phone = usPhone(username);
  return phone ? { phone } : {};
}

async function view({ services, say }: CommandContext, { operands, options }: CommandArguments): Promise<void> {
  const scope = await findOperatorScope(services, operands[0]);
  if (!operands[1]) throw new UsageError('Whose view? Give the email address or US mobile number they sign in with.');
  const person = await knownPerson(services, operands[1]);
  const doctor = options.doctor === undefined ? null : await knownPerson(services, options.doctor);
  const ids = new Set((await staffOf(scope)).map(({ id }) => id));
  for (const one of [person, doctor])
    if (one && !ids.has(one.id)) throw new UsageError(`${one.name} does not belong to this office.`);
  const { visibleDoctor: _, ...others } = person.settings;
  const settings = doctor ? { ...others, visibleDoctor: doctor.id } : others;
  await scope.transaction(async (tx) => {
    await setPersonSettings(tx, person.id, settings);
    await writeAuditEntry(tx, scope, {
      action: 'staff.view',
      subject: person.id,
      details: { doctor: doctor?.id ?? null },
    });
  });
  say(doctor ? `${person.name} sees what ${doctor.name} sees.` : `${person.name} sees their own view.`);
}
