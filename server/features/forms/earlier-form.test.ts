import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { urls } from '#questionnaire/extensions.ts';
import type { Item, Questionnaire } from '#questionnaire/questionnaire.ts';
import { openVisitPhone, photo, requestForms } from '#testing/fixtures/forms.ts';
import { openTestApp, type TestApp, type TestOffice } from '#testing/app/test-app.ts';

let testApp: TestApp;
let office: TestOffice;

const flag = (valueBoolean: boolean) => ({ extension: [{ url: urls.carriedOver, valueBoolean }] });
const intakeForm = (...more: Item[]): Questionnaire => ({
  resourceType: 'Questionnaire',
  id: 'intake',
  status: 'active',
  title: 'Intake',
  item: [
    { linkId: 'reason', type: 'string', text: 'What brings you here?', required: true },
    {
      linkId: 'history',
      type: 'group',
      text: 'History',
      ...flag(true),
      item: [
        { linkId: 'medicine', type: 'string', text: 'Medicines', repeats: true },
        { linkId: 'fever', type: 'boolean', text: 'Fever today?', ...flag(false) },
        { linkId: 'card', type: 'attachment', text: 'Your card' },
        {
          linkId: 'sign',
          type: 'attachment',
          text: 'Your signature',
          extension: [{ url: 'http://hl7.org/fhir/StructureDefinition/questionnaire-signatureRequired' }],
        },
      ],
    },
    ...more,
  ],
});

beforeAll(async () => {
  testApp = await openTestApp();
});
afterAll(() => testApp.close());

beforeEach(async () => {
  testApp.at('2026-03-02T15:00:00.000Z');
  office = await testApp.office();
  await requestForms(testApp, office, [intakeForm()]);
});

const phone = '+12125550177';
type Patient = Parameters<TestApp['visit']>[0];

/** A visit on which somebody without the texted link submitted the form. */
const typedByStranger = () => submitAtVisit({}, { proved: false });
/** A visit whose first patient submitted the form; its texted link was used unless `proved` says no. */
const visitBefore = async (...given: Parameters<typeof submitAtVisit>) => (await submitAtVisit(...given)).submissionId;

async function submitAtVisit(given: Patient = {}, { proved = true } = {}) {
  const visit = await testApp.visit({ office, phone, ...given });
  const of = given?.office ?? office;
  const link = openVisitPhone(testApp, proved ? await testApp.provedToken(visit.id, of) : visit.token);
  const memberId = await link.first();
  const { definitionId } = (await link.read(memberId, 'intake')).body;
  const picture = (await link.upload(await photo())).body;
  const answers = {
    reason: ['Cough'],
    medicine: ['Aspirin', 'Zinc'],
    fever: [true],
    card: [{ url: picture.url, contentType: 'image/jpeg' }],
    sign: [{ contentType: 'text/plain', title: 'Ada Byron' }],
  };
  await link.save(memberId, { definitionId, answers }, 'intake');
  const { status, body } = await link.submit(memberId, 1, 'intake');
  expect(status).toBe(200);
  return { visitId: visit.id, submissionId: body.submissionId };
}

/** What the phone of a later visit reads of the form. */
async function readLater(given: Patient = {}, { proved = true } = {}) {
  const visit = await testApp.visit({ office, phone, ...given });
  const of = given?.office ?? office;
  const link = openVisitPhone(testApp, proved ? await testApp.provedToken(visit.id, of) : visit.token);
  const memberId = await link.first();
  return { link, memberId, visitId: visit.id, body: (await link.read(memberId, 'intake')).body };
}

test('the answers of the visit before are there to be confirmed; not its reason, pictures, signature and what is asked each time', async () => {
  const submissionId = await visitBefore();
  testApp.at('2026-11-20T15:00:00.000Z');
  const { body, visitId } = await readLater();
  expect(body).toMatchObject({ state: 'missing', answers: null });
  expect(body.earlier).toEqual({ day: '2026-03-02', answers: { medicine: ['Aspirin', 'Zinc'] } });
  const reads = (await testApp.auditEntries(office)).filter(({ action }) => action === 'form.read-by-patient');
  expect(reads.find(({ subject }) => subject === submissionId)?.details).toEqual({ visit: visitId });
});

test('a link that was not texted to the number reads nothing of the visit before, with the same name and birth date', async () => {
  await visitBefore();
  testApp.at('2026-03-03T15:00:00.000Z');
  expect((await readLater({}, { proved: false })).body.earlier).toBeUndefined();
});

test('a visit before whose texted link was never used is not read: anybody may have typed the number', async () => {
  await visitBefore({}, { proved: false });
  testApp.at('2026-03-03T15:00:00.000Z');
  expect((await readLater()).body.earlier).toBeUndefined();
});

test.each([
  ['another phone number', { phone: '+12125550178' }],
  ['another name with the same phone', { firstName: 'Tom' }],
  ['another birth date with the same phone and name', { birthDate: '1990-12-11' }],
])('%s reads nothing of the visit before', async (_, other) => {
  await visitBefore();
  testApp.at('2026-03-03T15:00:00.000Z');
  expect((await readLater(other)).body.earlier).toBeUndefined();
});

test('another office reads nothing, with the same phone, name and birth date', async () => {
  await visitBefore();
  const other = await testApp.office();
  await requestForms(testApp, other, [intakeForm()]);
  testApp.at('2026-03-03T15:00:00.000Z');
  expect((await readLater({ office: other })).body.earlier).toBeUndefined();
  expect((await readLater()).body.earlier?.day).toBe('2026-03-02');
});

test('the newest visit counts, of the last two years', async () => {
  await visitBefore();
  testApp.at('2027-05-04T15:00:00.000Z');
  await visitBefore({ firstName: 'ÁDA' });
  testApp.at('2028-03-03T15:00:00.000Z');
  expect((await readLater()).body.earlier?.day).toBe('2027-05-04');
  testApp.at('2029-05-05T15:00:00.000Z');
  expect((await readLater()).body.earlier).toBeUndefined();
});

test('a changed form starts empty: its questions may have another meaning', async () => {
  await visitBefore();
  await requestForms(testApp, office, [
    intakeForm({ linkId: 'since', type: 'date', text: 'Since when?', ...flag(true) }),
  ]);
  testApp.at('2026-03-03T15:00:00.000Z');
  expect((await readLater()).body.earlier).toBeUndefined();
});

test('a stranger’s entries are not offered, even if the texted link of that visit was used later', async () => {
  const { visitId } = await typedByStranger();
  const texted = openVisitPhone(testApp, await testApp.provedToken(visitId, office));
  await texted.first();
  testApp.at('2026-03-03T15:00:00.000Z');
  expect((await readLater()).body.earlier).toBeUndefined();
});

test.each([
  ['12', '2014-03-03', false],
  ['17', '2008-03-04', false],
  ['11', '2014-03-04', true],
  ['18', '2008-03-03', true],
])('at %s years, a family reads what the law leaves to it', async (_, birthDate, isRead) => {
  await visitBefore({ birthDate });
  testApp.at('2026-03-03T15:00:00.000Z');
  expect((await readLater({ birthDate })).body.earlier !== undefined).toBe(isRead);
});

test('after a few birth dates tried for one name, no earlier answers are offered any more', async () => {
  await visitBefore();
  for (const day of ['07', '08', '09']) {
    testApp.at(`2026-03-${day}T15:00:00.000Z`);
    await readLater({ birthDate: `1990-12-${day}` });
  }
  testApp.at('2026-03-11T15:00:00.000Z');
  expect((await readLater()).body.earlier).toBeUndefined();
  testApp.at('2026-05-03T15:00:00.000Z');
  expect((await readLater()).body.earlier?.day).toBe('2026-03-02');
});

test('once it is submitted, the form is its own; a draft keeps what was filled in', async () => {
  await visitBefore();
  testApp.at('2026-03-03T15:00:00.000Z');
  const { link, memberId, body } = await readLater();
  const answers = { ...body.earlier?.answers, reason: ['Fever'] };
  await link.save(memberId, { definitionId: body.definitionId, answers }, 'intake');
  const draft = (await link.read(memberId, 'intake')).body;
  expect(draft).toMatchObject({ answers, earlier: { day: '2026-03-02' } });
  expect((await link.submit(memberId, 1, 'intake')).status).toBe(200);
  expect((await link.read(memberId, 'intake')).body.earlier).toBeUndefined();
});
