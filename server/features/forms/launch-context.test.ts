import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { formsDesk } from '#contract/index.ts';
import { urls } from '#questionnaire/extensions.ts';
import type { Extension, Questionnaire } from '#questionnaire/questionnaire.ts';
import { openVisitPhone, requestForms } from '#testing/fixtures/forms.ts';
import { openTestApp, type TestApp, type TestOffice } from '#testing/app/test-app.ts';

const declared = (name: string, ...types: string[]): Extension => ({
  url: urls.launchContext,
  extension: [{ url: 'name', valueCoding: { code: name } }, ...types.map((type) => ({ url: 'type', valueCode: type }))],
});
const by = (url: string, expression: string) => [
  { url, valueExpression: { language: 'text/fhirpath', expression } } as Extension,
];

/** Asks for the year of birth, which it knows, and one question more of those born before 2000. */
const intake: Questionnaire = {
  resourceType: 'Questionnaire',
  id: 'intake',
  status: 'active',
  title: 'Intake',
  extension: [
    declared('patient', 'Patient'),
    declared('user', 'Patient', 'RelatedPerson'),
    declared('encounter', 'Encounter'),
  ],
  item: [
    { linkId: 'name', type: 'string', text: 'Name', extension: by(urls.initialBy, '%patient.name.first().text') },
    {
      linkId: 'year',
      type: 'string',
      text: 'Year of birth',
      readOnly: true,
      extension: by(urls.calculated, '%patient.birthDate.toString().substring(0, 4)'),
    },
    {
      linkId: 'grown',
      type: 'string',
      text: 'Your work',
      extension: by(urls.enabledBy, '%patient.birthDate < @2000-01-01'),
    },
  ],
};

let testApp: TestApp;
let office: TestOffice;
beforeAll(async () => {
  testApp = await openTestApp({ env: { LOG_LEVEL: 'fatal' } });
});
afterAll(() => testApp.close());
beforeEach(async () => {
  testApp.at('2026-03-02T15:00:00.000Z');
  office = await testApp.office();
  await requestForms(testApp, office, [intake]);
});

const byron = { text: 'Ada Byron', family: 'Byron', given: ['Ada'] };
const family = { household: [{ firstName: 'Tom', lastName: 'Byron', birthDate: '2019-05-06' }] };

test('a form gets the patient, who holds the phone and the visit as it declares them; the number only on a proved link', async () => {
  const visit = await testApp.visit({ office, phone: '+12125550143' });
  const unproved = openVisitPhone(testApp, visit.token);
  const memberId = await unproved.first();
  const patient = { resourceType: 'Patient', name: [{ use: 'official', ...byron }], birthDate: '1990-12-10' };
  const { launch } = (await unproved.read(memberId, 'intake')).body;
  expect(launch).toEqual({
    patient,
    user: patient,
    encounter: expect.objectContaining({ resourceType: 'Encounter', period: { start: '2026-03-02' } }),
  });
  const proved = openVisitPhone(testApp, await testApp.provedToken(visit.id, office));
  const telecom = [{ system: 'phone', value: '+12125550143', use: 'mobile' }];
  expect((await proved.read(memberId, 'intake')).body.launch).toMatchObject({ patient: { ...patient, telecom } });
});

test('a child is not given the number of the parent, who is the one to contact', async () => {
  const visit = await testApp.visit({ office, phone: '+12125550143', ...family });
  const phone = openVisitPhone(testApp, await testApp.provedToken(visit.id, office));
  const child = (await phone.list()).body.members[1]?.memberId ?? '';
  const telecom = [{ system: 'phone', value: '+12125550143', use: 'mobile' }];
  const { launch } = (await phone.read(child, 'intake')).body;
  expect(launch?.['patient']).toEqual({
    resourceType: 'Patient',
    name: [{ use: 'official', text: 'Tom Byron', family: 'Byron', given: ['Tom'] }],
    birthDate: '2019-05-06',
    contact: [{ name: byron, telecom }],
  });
  expect(launch?.['user']).toEqual({ resourceType: 'RelatedPerson', name: [byron], telecom });
});

test('a form that declares nothing gets nothing', async () => {
  await requestForms(testApp, office, [{ ...intake, extension: [] }]);
  const { token } = await testApp.visit({ office });
  const phone = openVisitPhone(testApp, token);
  expect((await phone.read(await phone.first(), 'intake')).body).not.toHaveProperty('launch');
});

test('a link of another office reads no patient of this one', async () => {
  const { token } = await testApp.visit({ office });
  const memberId = await openVisitPhone(testApp, token).first();
  const foreign = await testApp.visit({ office: testApp.other });
  const { status, body } = await openVisitPhone(testApp, foreign.token).read(memberId, 'intake');
  expect([status, body]).toEqual([404, expect.not.objectContaining({ launch: expect.anything() })]);
});

test('the server calculates what depends on the patient too, and the desk reads the questions that were asked', async () => {
  const { token } = await testApp.visit({ office });
  const phone = openVisitPhone(testApp, token);
  const memberId = await phone.first();
  const { definitionId } = (await phone.read(memberId, 'intake')).body;
  const answers = { name: ['Ada King'], year: ['1066'], grown: ['Mathematics'] };
  await phone.save(memberId, { definitionId, answers }, 'intake');
  expect((await phone.submit(memberId, 1, 'intake')).status).toBe(200);
  const list = await testApp.call(formsDesk.listFormPaths, { query: {} }, { as: office });
  const key = list.body.forms[0]?.objectKey ?? '';
  const { body } = await testApp.call(formsDesk.readFormAnswers, { query: { key } }, { as: office });
  expect(body.sections.flatMap((section) => section.answers).map(({ text, answers: given }) => [text, given])).toEqual([
    ['Name', ['Ada King']],
    ['Year of birth', ['1990']],
    ['Your work', ['Mathematics']],
  ]);
});
