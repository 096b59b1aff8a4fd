import { afterAll, beforeAll, expect, test } from 'vitest';
import { conversations, directory, patient, queue, smsCheckin } from '#contract/index.ts';
import { patientsPerPage } from '#contract/directory.ts';
import { openTestApp, type TestOffice } from '#testing/app/test-app.ts';
import { requestForms, arrivalForm, submittedForm } from '#testing/fixtures/forms.ts';
import { patientTexts } from '#testing/fixtures/texts.ts';

const t = await openTestApp();
afterAll(() => t.close());

let desk: TestOffice;
beforeAll(async () => {
  desk = await t.office();
});

let numbers = 0;
const newPhone = () => `+1646555${String(7000 + ++numbers)}`;
const page = async (search?: string, cursor?: string, as = desk) =>
  (await t.call(directory.searchPatients, { body: { ...(search && { search }), ...(cursor && { cursor }) } }, { as }))
    .body;
const namesOf = async (search: string) => (await page(search)).patients.map(({ name }) => name);
const file = (patientId: string, as = desk) => t.call(directory.readPatient, { params: { patientId } }, { as });
const visitOf = (input: Parameters<typeof t.visit>[0] = {}) => t.visit({ office: desk, phone: newPhone(), ...input });
const idOf = async (search: string) => (await page(search)).patients[0]?.id ?? '';

test.each([
  ['beginnings of names, in any order', 'quart zo'],
  ['a name without its accent', 'Zoe'],
  ['a family member', 'bartholomew'],
  ['the number', '(646) 555-8123'],
  ['the number with its country code', '+1 646 555 8123'],
  ['the last seven digits', '555-8123'],
  ['the last four digits', '8123'],
  ['a birthday as Americans write it', '7/9/1987'],
  ['a birthday with a short year', '7/9/87'],
  ['a birthday as computers write it', '1987-07-09'],
  ['a birthday as the panel writes it', 'Jul 9, 1987'],
  ['a birthday in Spanish words', '9 de julio de 1987'],
  ['a name and a birthday in words', 'quartermain july 9 87'],
  ['the birthday of a family member', '02-28-2019'],
  ['a birthday whose day comes first', '28/2/2019'],
  ['a name and a birthday', 'quartermain 07/09/1987'],
])('a patient is found by %s', async (_how, search) => {
  const office = await t.office();
  await t.visit({
    office,
    phone: '+16465558123',
    firstName: 'Zoë',
    lastName: 'Quartermain',
    birthDate: '1987-07-09',
    household: [{ firstName: 'Bartholomew', lastName: 'Quartermain', birthDate: '2019-02-28' }],
  });
  await t.visit({ office, phone: '+16465550042', firstName: 'Ann', lastName: 'Other', birthDate: '1990-01-01' });
  expect((await page(search, undefined, office)).patients.map(({ name }) => name)).toEqual(['Zoë Quartermain']);
});

test('a search finds nobody who does not match every word, and signs alone are no search', async () => {
  await visitOf({ firstName: 'Percy', lastName: 'Percent' });
  const isFound = async (search: string) => (await namesOf(search)).includes('Percy Percent');
  for (const search of ['xyzzy', 'percy xyzzy', 'ercy', '13/45/1987', '00000'])
    expect(await isFound(search)).toBe(false);
  for (const search of ['percy', '%', "'; --", '\u{10FFFF}']) expect(await isFound(search)).toBe(true);
});

test('the directory lists everybody by last name, page by page, numbers without a name last', async () => {
  const office = await t.office();
  const expectedPhone = newPhone();
  await t.call(smsCheckin.addCheckin, { body: { phone: expectedPhone } }, { as: office });
  for (let n = 0; n < patientsPerPage + 1; n++)
    await t.visit({ office, phone: newPhone(), firstName: `P${n}`, lastName: n === 0 ? 'Aaron' : `Baker${n}` });
  const first = await page(undefined, undefined, office);
  expect(first.patients).toHaveLength(patientsPerPage);
  expect(first.patients[0]).toMatchObject({ name: 'P0 Aaron', lastVisit: '2026-03-02' });
  const second = await page(undefined, first.next ?? '', office);
  expect(second.next).toBeNull();
  expect(second.patients.at(-1)).toMatchObject({ name: '', phone: expectedPhone });
  const ids = [...first.patients, ...second.patients].map(({ id }) => id);
  expect(new Set(ids).size).toBe(patientsPerPage + 2);
});

test('a patient has visits, forms and the conversation', async () => {
  const phone = newPhone();
  const office = await t.office();
  await requestForms(t, office, [arrivalForm]);
  const visit = await t.visit({
    office,
    phone,
    firstName: 'Ada',
    lastName: 'Byron',
    household: [{ firstName: 'Allegra', lastName: 'Byron', birthDate: '2019-01-12' }],
    moves: ['invite'],
  });
  await patientTexts(t, phone, 'Which door?', { office });
  const patientId = (await page('byron', undefined, office)).patients[0]?.id ?? '';
  const { body } = await file(patientId, office);
  expect(body).toMatchObject({
    patient: { name: 'Ada Byron', phone, userCode: visit.patientUserCode },
    family: [{ name: 'Ada Byron' }, { name: 'Allegra Byron' }],
    visits: [{ id: visit.id, status: 'INVITED', people: ['Ada Byron', 'Allegra Byron'] }],
    moreVisits: false,
    forms: [],
    conversation: { messages: 2, unread: 1, lastBody: 'Which door?' },
    textBlock: null,
  });
  const { body: thread } = await t.call(
    conversations.readConversation,
    { params: { id: body.conversation?.id ?? '' }, query: {} },
    { as: office },
  );
  expect(thread.messages).toHaveLength(2);
  await patientTexts(t, phone, 'STOP', { office });
  expect((await file(patientId, office)).body).toMatchObject({ textBlock: 'opted-out' });
});

test('a birthday that anybody can have typed is not shown for the family until the texted link of that visit is opened', async () => {
  const phone = newPhone();
  const office = await t.office();
  const household = [{ firstName: 'Allegra', lastName: 'Typed', birthDate: '2019-01-12' }];
  const visit = await t.visit({ office, phone, lastName: 'Typed', household });
  const patientId = (await page('typed', undefined, office)).patients[0]?.id ?? '';
  const birthday = async () =>
    (await file(patientId, office)).body.family.find(({ name }) => name === 'Allegra Typed')?.birthDate;
  expect(await birthday()).toBeNull();
  const token = await t.provedToken(visit.id, office);
  await t.call(patient.readPatientVisit, { params: { token } }, { as: null });
  expect(await birthday()).toBe('2019-01-12');
});

test('a number that the carrier reported as a landline is marked, at this practice only', async () => {
  const office = await t.office();
  const phone = newPhone();
  for (const of of [office, t.other]) await t.visit({ office: of, phone, lastName: 'Landline' });
  await t.inOffice(office, (tx) =>
    tx
      .insertInto('landline')
      .values({ officeId: office.id, id: t.services.id(), phone, reportedAt: t.now() })
      .execute(),
  );
  const marks = async (of: TestOffice) => {
    const patientId = (await page('landline', undefined, of)).patients[0]?.id ?? '';
    return (await file(patientId, of)).body.textBlock;
  };
  expect(await marks(office)).toBe('landline');
  expect(await marks(t.other)).toBeNull();
});

test('forms that were filed on several visits are listed, the newest first; drafts are not', async () => {
  const office = await t.office();
  await requestForms(t, office, [arrivalForm]);
  const phone = newPhone();
  for (const lastName of ['First', 'Second']) {
    const { id } = await submittedForm(t, { office, phone, firstName: 'Ada', lastName });
    await t.call(queue.moveVisit, { body: { id, action: 'DOCTOR_CANCELLED' } }, { as: office });
    t.later(5);
  }
  const patientId = (await page('ada', undefined, office)).patients[0]?.id ?? '';
  const { body } = await file(patientId, office);
  expect(body.visits).toHaveLength(2);
  expect(body.forms.map(({ patientName }) => patientName)).toEqual(['Ada Second', 'Ada First']);
});

test('a name that comes with a later visit finds the patient too', async () => {
  const phone = newPhone();
  await visitOf({ phone, firstName: 'Marguerite', lastName: 'Oldname', moves: ['invite', 'finish'] });
  await visitOf({ phone, firstName: 'Marguerite', lastName: 'Newname' });
  expect(await namesOf('marguerite newname')).toEqual(['Marguerite Oldname']);
});

test('a patient who was expected and checks in by the link is found by the name', async () => {
  const phone = newPhone();
  await t.call(smsCheckin.addCheckin, { body: { phone } }, { as: desk });
  expect((await page(phone)).patients).toMatchObject([{ name: '', phone }]);
  const visitId = (await file(await idOf(phone))).body.visits[0]?.id ?? '';
  const token = await t.provedToken(visitId, desk);
  const arrival = { firstName: 'Ingrid', lastName: 'Expected', birthDate: '1990-01-01', household: [] };
  await t.call(patient.arriveExpected, { params: { token }, body: { ...arrival, language: 'en' } }, { as: null });
  expect(await namesOf('ingrid expe')).toEqual(['Ingrid Expected']);
});

test('patients of another office are not found, and their ids are answered like unknown ones', async () => {
  const other = await t.office();
  const phone = newPhone();
  await t.visit({ office: other, phone, firstName: 'Wilhelmina', lastName: 'Elsewhere' });
  const [theirs] = (await page('wilhelmina', undefined, other)).patients;
  expect(await namesOf('wilhelmina')).toEqual([]);
  expect((await page(phone)).patients).toEqual([]);
  const foreign = await file(theirs?.id ?? '');
  const unknown = await file('019f5555-5555-7555-8555-555555555555');
  expect([foreign.status, foreign.body]).toEqual([404, unknown.body]);
  expect(foreign.body).toMatchObject({ code: 'patient_not_found' });
});

test('the list and each patient that is opened are in the audit log, without the words of the search', async () => {
  const office = await t.office();
  await t.visit({ office, phone: newPhone(), firstName: 'Ada', lastName: 'Audited' });
  const [found] = (await page('audited', undefined, office)).patients;
  await file(found?.id ?? '', office);
  const entries = (await t.auditEntries(office)).filter(({ action }) => action.startsWith('patient.'));
  expect(entries).toMatchObject([
    { action: 'patient.list', actorId: office.personId, details: { search: true } },
    { action: 'patient.read', subject: found?.id },
  ]);
  expect(JSON.stringify(entries)).not.toMatch(/audited/i);
});

test.each(['nonsense-cursor', Buffer.from('x y').toString('base64url').padEnd(10, 'A')])(
  'the cursor %s is refused',
  async (cursor) => {
    expect((await t.call(directory.searchPatients, { body: { cursor } }, { as: desk })).status).toBe(400);
  },
);
