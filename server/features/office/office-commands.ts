import { hasCheckDigit } from '#contract/practice/office.ts';
import { record } from '#server/kit/audit.ts';
import { lockIdleSessions } from '#server/kit/http/caller.ts';
import { Mistake, table, type Asked, type Command, type Desk } from '#server/kit/command.ts';
import { addToDirectory, removeFromDirectory } from '#server/kit/db/office-directory.ts';
import { checkInPage } from '#server/office-row.ts';
import { northAmericanPhone, usPhone } from '#server/kit/phone.ts';
import { addOffice, settingsOfNewPractice, addStaff } from './add-office.ts';
import { changeOffice, knownTimeZone, officeKeys } from './change-office.ts';
import {
  allOffices,
  knownPerson,
  officeIdByNpi,
  officesOf,
  operatorAt,
  operatorIn,
  personBy,
  staffOf,
} from './directory.ts';
import { freeNpi } from './npi-numbers.ts';
import { officeRow } from './sql.ts';

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
  { name: 'office show', takes: 'NPI', says: 'One office with its settings and its people', run: show },
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

async function list({ house, say }: Desk): Promise<void> {
  const offices = await allOffices(house);
  const rows = await Promise.all(
    offices.map(async (office) => [
      office.npi,
      office.name,
      `${office.city}, ${office.state}`,
      office.agreementSignedAt ? 'signed' : 'not signed',
      String((await staffOf(operatorAt(house, office.id))).length),
    ]),
  );
  if (rows.length === 0) say('No offices yet: script/anteroom office add makes the first.');
  else for (const line of table(['NPI', 'OFFICE', 'PLACE', 'AGREEMENT', 'STAFF'], rows)) say(line);
}

async function show({ house, say }: Desk, { words }: Asked): Promise<void> {
  const scope = await operatorIn(house, words[0]);
  const { office, npis } = await scope.transaction(async (tx) => ({
    office: await officeRow(tx, scope.officeId),
    npis: await tx
      .selectFrom('officeNpi')
      .select(['npi', 'current'])
      .where('officeId', '=', scope.officeId)
      .orderBy('id')
      .execute(),
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
    ['address', `${office.addressLine1}, ${office.city}, ${office.state} ${office.zip}`.trim()],
    ['time zone', office.timeZone],
    ['text number', office.textNumber],
    ['email', office.email ?? '-'],
    ['website', office.url ?? '-'],
    ['software', office.emr],
    ['agreement', office.agreementSignedAt ? `signed ${office.agreementSignedAt.toISOString()}` : 'not signed'],
    ['check-in page', checkInPage(office, house.env.publicUrl)],
    ['settings', JSON.stringify(office.settings)],
    ['queue', JSON.stringify(office.queueSettings)],
    ...people.map(({ name, usernames }): [string, string] => [
      'staff',
      [name, ...usernames].filter(Boolean).join(', '),
    ]),
  ];
  for (const [what, value] of facts) say(`${what.padEnd(14)}${value}`);
}

async function add({ house, owner, say }: Desk, { options, switches, words }: Asked): Promise<void> {
  if (words.length > 0) throw new Mistake(`"${words[0]}" was not expected: write names with spaces in quotes.`);
  const given = (name: (typeof addOptions)[number]) => {
    const value = options[name]?.trim();
    if (!value) throw new Mistake(`--${name} is missing.`);
    return value;
  };
  const npi = given('npi');
  const textNumber = northAmericanPhone(given('text-number'));
  if (!hasCheckDigit(npi)) throw new Mistake(`${npi} is no NPI: ten digits, the last one a check digit.`);
  if (!textNumber) throw new Mistake('--text-number must be a US number.');
  const isShared = await mayUse(house, npi, switches.has('shared'));
  const checkInNpi = isShared ? await owner.transaction().execute((tx) => freeNpi(tx)) : null;
  const officeId = await addOffice(owner, house, {
    npi,
    checkInNpi,
    textNumber,
    name: given('name'),
    addressLine1: given('address'),
    city: given('city'),
    state: given('state'),
    zip: given('zip'),
    timeZone: knownTimeZone(given('time-zone')),
    email: options.email?.trim() || null,
    emr: options.emr?.trim() || 'N/A',
    agreementSignedAt: switches.has('signed') ? house.now() : null,
    settings: settingsOfNewPractice,
  });
  const scope = operatorAt(house, officeId);
  await scope.transaction((tx) => record(tx, scope, { action: 'office.add', subject: 'office' }));
  say(`Added ${given('name')} (${npi}). Its check-in page: ${checkInPage({ npi, checkInNpi }, house.env.publicUrl)}`);
  say(`Now add its people: script/anteroom office staff ${npi} EMAIL --name NAME`);
}

async function set({ house, say }: Desk, { words, switches }: Asked): Promise<void> {
  const scope = await operatorIn(house, words[0]);
  const pairs = words.slice(1).map((word): [string, string] => {
    const at = word.indexOf('=');
    if (at < 1) throw new Mistake(`"${word}" is not key=value.`);
    return [word.slice(0, at), word.slice(at + 1)];
  });
  if (pairs.length === 0) throw new Mistake('What shall be set? Give key=value.');
  const npi = pairs.find(([key]) => key === 'npi')?.[1];
  if (npi !== undefined) await mayUse(house, npi, switches.has('shared'), scope.officeId);
  await changeOffice(scope, pairs);
  say(`Set ${pairs.map(([key]) => key).join(', ')} of ${npi ?? words[0]}.`);
}

/** An NPI leads its patients to one office's page; sharing it is possible, but never by accident. Answers whether another office has it. */
async function mayUse(house: Desk['house'], npi: string, shared: boolean, by?: string): Promise<boolean> {
  const officeId = await officeIdByNpi(house, npi);
  if (officeId && officeId !== by && !shared)
    throw new Mistake(`Another office goes by ${npi}, and /c/${npi} is its page. If both share it, say --shared.`);
  return officeId !== null && officeId !== by;
}

async function staff({ house, owner, say }: Desk, { words, options, switches }: Asked): Promise<void> {
  const scope = await operatorIn(house, words[0]);
  const username = words[1];
  if (!username) throw new Mistake('Who? Give the email address or US mobile number they sign in with.');
  const known = await personBy(house, username);
  const belongs = known !== undefined && (await officesOf(house, known.id)).some(({ id }) => id === scope.officeId);
  if (switches.has('remove')) {
    if (!known || !belongs) throw new Mistake(`${username} does not belong to this office.`);
    await scope.transaction(async (tx) => {
      await lockIdleSessions(tx, scope.officeId, scope.now(), known.id);
      await tx
        .deleteFrom('membership')
        .where('officeId', '=', scope.officeId)
        .where('personId', '=', known.id)
        .execute();
      await removeFromDirectory(tx, { officeId: scope.officeId, kind: 'person', key: known.id });
      await tx
        .updateTable('invitation')
        .set({ state: 'revoked', endedAt: scope.now() })
        .where('officeId', '=', scope.officeId)
        .where('invitedBy', '=', known.id)
        .where('state', '=', 'open')
        .execute();
      await record(tx, scope, { action: 'staff.remove', subject: known.id });
    });
    say(`Removed ${known.name || username}: they see nothing of this office from now on.`);
    return;
  }
  if (belongs) throw new Mistake(`${username} belongs to this office already.`);
  const personId = known?.id ?? (await addPerson({ house, owner }, username, options.name));
  await scope.transaction(async (tx) => {
    await tx
      .insertInto('membership')
      .values({ officeId: scope.officeId, id: scope.id(), personId, createdAt: scope.now(), ...identityOf(username) })
      .execute();
    await addToDirectory(tx, { officeId: scope.officeId, kind: 'person', key: personId });
    await record(tx, scope, { action: 'staff.add', subject: personId });
  });
  say(`Added ${known?.name || options.name?.trim() || username}. They sign in with ${username} and a one-time code.`);
}

async function addPerson(
  { house, owner }: Pick<Desk, 'house' | 'owner'>,
  username: string,
  name = '',
): Promise<string> {
  if (name.trim() === '') throw new Mistake(`Nobody signs in with ${username} yet: give --name too.`);
  return addStaff(owner, house, { name: name.trim(), ...identityOf(username) }, []);
}

function identityOf(username: string): { email?: string; phone?: string } {
  if (username.includes('@')) return { email: username.trim().toLowerCase() };
  const phone = usPhone(username);
  return phone ? { phone } : {};
}

async function view({ house, say }: Desk, { words, options }: Asked): Promise<void> {
  const scope = await operatorIn(house, words[0]);
  if (!words[1]) throw new Mistake('Whose view? Give the email address or US mobile number they sign in with.');
  const person = await knownPerson(house, words[1]);
  const doctor = options.doctor === undefined ? null : await knownPerson(house, options.doctor);
  const ids = new Set((await staffOf(scope)).map(({ id }) => id));
  for (const one of [person, doctor])
    if (one && !ids.has(one.id)) throw new Mistake(`${one.name} does not belong to this office.`);
  const { visibleDoctor: _, ...others } = person.settings;
  const settings = doctor ? { ...others, visibleDoctor: doctor.id } : others;
  await scope.transaction(async (tx) => {
    await tx
      .updateTable('auth.person')
      .set({ settings: JSON.stringify(settings) })
      .where('id', '=', person.id)
      .execute();
    await record(tx, scope, { action: 'staff.view', subject: person.id, details: { doctor: doctor?.id ?? null } });
  });
  say(doctor ? `${person.name} sees what ${doctor.name} sees.` : `${person.name} sees their own view.`);
}
