import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { formsDesk } from '#contract/index.ts';
import type { Questionnaire } from '#questionnaire/questionnaire.ts';
import { activePatient, loadSurveys, surveysAt } from '#testing/fixtures/episodes.ts';
import { arrivalAnswers, openVisitPhone, photo, requestForms, submittedForm } from '#testing/fixtures/forms.ts';
import { openTestApp, type TestApp, type TestOffice } from '#testing/app/test-app.ts';
import { structureProblems } from '#testing/fhir/structure.ts';

/** A form with one of each kind of answer, groups that repeat and follow-ups. */
const intake: Questionnaire = {
  resourceType: 'Questionnaire',
  id: 'intake',
  url: 'https://example.org/Questionnaire/intake',
  version: '2.1',
  status: 'active',
  title: 'Intake',
  item: [
    {
      linkId: 'about',
      type: 'group',
      text: 'About you',
      item: [
        { linkId: 'smoker', type: 'boolean', text: 'Do you smoke?' },
        { linkId: 'cups', type: 'integer', text: 'Cups of coffee a day' },
        { linkId: 'since', type: 'dateTime', text: 'Since when does it hurt?' },
        {
          linkId: 'pain',
          type: 'choice',
          text: 'How bad is it?',
          code: [{ system: 'http://loinc.org', code: '72514-3' }],
          answerOption: [
            { valueCoding: { system: 'https://example.org/pain', code: 'mild', display: 'Mild' } },
            { valueCoding: { system: 'https://example.org/pain', code: 'bad', display: 'Bad' } },
          ],
          item: [{ linkId: 'where', type: 'string', text: 'Where?' }],
        },
      ],
    },
    {
      linkId: 'drug',
      type: 'group',
      text: 'Medicine',
      repeats: true,
      item: [
        { linkId: 'drug-name', type: 'string', text: 'Name' },
        { linkId: 'drug-dose', type: 'quantity', text: 'Dose' },
      ],
    },
  ],
};

const intakeAnswers = {
  smoker: [false],
  cups: [3],
  since: ['2026-03-01T08:30:00-05:00'],
  pain: [{ system: 'https://example.org/pain', code: 'bad', display: 'Bad' }],
  where: ['Lower back'],
  drug: [2],
  'drug-name#0': ['Aspirin'],
  'drug-name#1': ['Ibuprofen'],
  'drug-dose#1': [{ value: 200, unit: 'mg' }],
};

let testApp: TestApp;
let office: TestOffice;
beforeAll(async () => {
  testApp = await openTestApp({ env: { LOG_LEVEL: 'fatal' } });
  await loadSurveys(testApp);
});
afterAll(() => testApp.close());
beforeEach(async () => {
  testApp.at('2026-03-02T15:00:00.000Z');
  office = await testApp.office();
});

const newestKey = async (as = office) =>
  (await testApp.call(formsDesk.listFormPaths, { query: {} }, { as })).body.forms[0]?.objectKey ?? '';
const download = (key: string, { as = office, bucket }: { as?: TestOffice; bucket?: string } = {}) =>
  testApp.call(formsDesk.downloadFormResponse, { query: { key, ...(bucket !== undefined && { bucket }) } }, { as });

test('a form is downloaded as a QuestionnaireResponse with its answers nested as in the questionnaire', async () => {
  await requestForms(testApp, office, [intake]);
  const { submissionId } = await submittedForm(testApp, { office }, 'intake', intakeAnswers);
  const { status, headers, body } = await download(await newestKey());
  expect(status).toBe(200);
  expect(headers['content-type']).toBe('application/fhir+json; charset=utf-8');
  expect(headers['content-disposition']).toContain('filename="2026-03-02 Ada Byron Arrival form.json"');
  expect(structureProblems(body)).toEqual([]);
  expect(body).toEqual({
    resourceType: 'QuestionnaireResponse',
    id: submissionId,
    language: 'en',
    contained: [
      {
        resourceType: 'Patient',
        id: 'patient',
        identifier: [
          { system: 'urn:ietf:rfc:3986', value: expect.stringMatching(/^urn:uuid:[0-9a-f-]{36}$/) as string },
        ],
        name: [{ text: 'Ada Byron', family: 'Byron', given: ['Ada'] }],
        gender: 'unknown',
        birthDate: '1990-12-10',
      },
    ],
    identifier: { system: 'urn:ietf:rfc:3986', value: `urn:uuid:${submissionId}` },
    questionnaire: 'https://example.org/Questionnaire/intake|2.1',
    status: 'completed',
    subject: { reference: '#patient' },
    authored: '2026-03-02T15:00:00.000Z',
    source: { reference: '#patient' },
    item: [
      {
        linkId: 'about',
        text: 'About you',
        item: [
          { linkId: 'smoker', text: 'Do you smoke?', answer: [{ valueBoolean: false }] },
          { linkId: 'cups', text: 'Cups of coffee a day', answer: [{ valueInteger: 3 }] },
          {
            linkId: 'since',
            text: 'Since when does it hurt?',
            answer: [{ valueDateTime: '2026-03-01T08:30:00-05:00' }],
          },
          {
            linkId: 'pain',
            text: 'How bad is it?',
            answer: [
              {
                valueCoding: { system: 'https://example.org/pain', code: 'bad', display: 'Bad' },
                item: [{ linkId: 'where', text: 'Where?', answer: [{ valueString: 'Lower back' }] }],
              },
            ],
          },
        ],
      },
      {
        linkId: 'drug',
        text: 'Medicine',
        item: [{ linkId: 'drug-name', text: 'Name', answer: [{ valueString: 'Aspirin' }] }],
      },
      {
        linkId: 'drug',
        text: 'Medicine',
        item: [
          { linkId: 'drug-name', text: 'Name', answer: [{ valueString: 'Ibuprofen' }] },
          { linkId: 'drug-dose', text: 'Dose', answer: [{ valueQuantity: { value: 200, unit: 'mg' } }] },
        ],
      },
    ],
  });
});

test('an amended form says so, and is about the same patient as the one before', async () => {
  await requestForms(testApp, office);
  const { phone, memberId, definitionId, submissionId } = await submittedForm(testApp, { office });
  const before = (await download(await newestKey())).body as Record<string, unknown>;
  testApp.later(5);
  await phone.save(memberId, { definitionId, amend: true, answers: { ...arrivalAnswers, reason: ['Cough'] } });
  await phone.submit(memberId, 1);
  const after = (await download(await newestKey())).body as Record<string, unknown>;
  expect([before['id'], before['status'], after['status']]).toEqual([submissionId, 'completed', 'amended']);
  expect(after['contained']).toEqual(before['contained']);
  // The questionnaire has no address of its own.
  expect(after['questionnaire']).toBe(`urn:uuid:${definitionId}`);
  expect(structureProblems(after)).toEqual([]);
});

test('a typed signature has the time and the signer that FHIR requires, and pictures are named, not sent', async () => {
  const signed: Questionnaire = {
    ...intake,
    id: 'signed',
    item: [{ linkId: 'card', type: 'attachment', text: 'Your card' }],
    extension: [
      {
        url: 'http://hl7.org/fhir/StructureDefinition/questionnaire-signatureRequired',
        valueCodeableConcept: { coding: [{ system: 'urn:iso-astm:E1762-95:2013', code: '1.2.840.10065.1.12.1.1' }] },
      },
    ],
  };
  await requestForms(testApp, office, [signed]);
  const visit = await testApp.visit({ office });
  const phone = openVisitPhone(testApp, visit.token);
  const memberId = await phone.first();
  const { definitionId } = (await phone.read(memberId, 'signed')).body;
  const card = (await phone.upload(await photo())).body;
  const answers = {
    card: [{ contentType: 'image/jpeg', url: card.url }],
    $signature: [{ contentType: 'text/plain', title: 'Ada Byron' }],
  };
  await phone.save(memberId, { definitionId, answers }, 'signed');
  expect((await phone.submit(memberId, 1, 'signed')).status).toBe(200);
  const { body } = await download(await newestKey());
  expect(structureProblems(body)).toEqual([]);
  expect(body).toMatchObject({
    extension: [{ valueSignature: { when: '2026-03-02T15:00:00.000Z', who: { display: 'Ada Byron' } } }],
    item: [{ linkId: 'card', answer: [{ valueAttachment: { contentType: 'image/jpeg', url: card.url } }] }],
  });
});

test('the download is in the audit log, and nobody else’s form can be downloaded', async () => {
  await requestForms(testApp, testApp.other);
  await submittedForm(testApp, { office: testApp.other });
  const theirs = await newestKey(testApp.other);
  await requestForms(testApp, office);
  const { submissionId } = await submittedForm(testApp, { office });
  const ours = await newestKey();
  const replies = [
    await download(theirs),
    await download(ours, { as: testApp.other }),
    await download(ours, { bucket: testApp.other.npi }),
  ];
  expect(replies.map(({ status }) => status)).toEqual([404, 404, 404]);
  expect((await download(ours, { bucket: office.npi })).status).toBe(200);
  const entries = (await testApp.auditEntries(office)).filter(
    ({ action, outcome }) => action === 'form.download' && outcome === 'done',
  );
  expect(entries).toMatchObject([{ subject: submissionId }]);
});

test('a survey is downloaded the same way', async () => {
  const patient = await activePatient(testApp, { office });
  await surveysAt(testApp, '2026-03-03T15:00:00.000Z');
  expect((await patient.answer()).status).toBe(200);
  const row = await testApp.inOffice(office, (tx) =>
    tx.selectFrom('survey').select(['id', 'objectKey']).where('objectKey', 'is not', null).executeTakeFirstOrThrow(),
  );
  const { status, body } = await download(row.objectKey ?? '');
  expect(status).toBe(200);
  expect(structureProblems(body)).toEqual([]);
  expect(body).toMatchObject({ id: row.id, subject: { reference: '#patient' }, status: 'completed' });
});
