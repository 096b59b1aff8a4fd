import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { formsDesk } from '#contract/index.ts';
import { urls } from '#questionnaire/extensions.ts';
import type { Questionnaire } from '#questionnaire/questionnaire.ts';
import { activePatient, loadSurveys, surveysAt } from '#testing/fixtures/episodes.ts';
import {
  arrivalAnswers,
  arrivalForm,
  openVisitPhone,
  photo,
  requestForms,
  signatureImage,
  submittedForm,
} from '#testing/fixtures/forms.ts';
import { openTestApp, type TestApp, type TestOffice } from '#testing/app/test-app.ts';

/** The arrival form, which screens for allergies. */
const screening: Questionnaire = {
  ...arrivalForm,
  extension: [
    {
      url: urls.outcome,
      extension: [
        { url: 'outcome', valueCode: 'review' },
        { url: 'behavior', valueCode: 'any' },
        {
          url: 'when',
          extension: [
            { url: 'question', valueString: 'reason' },
            { url: 'operator', valueCode: '=' },
            { url: 'answer', valueString: 'Fever' },
          ],
        },
      ],
    },
  ],
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
  await requestForms(testApp, office, [screening]);
});

const read = (key: string, options: { as?: TestOffice; language?: string; bucket?: string } = {}) =>
  testApp.call(
    formsDesk.readFormAnswers,
    { query: { key, ...(options.bucket !== undefined && { bucket: options.bucket }) } },
    { as: options.as ?? office, headers: { 'accept-language': options.language ?? 'en' } },
  );
const newestKey = async (as = office) =>
  (await testApp.call(formsDesk.listFormPaths, { query: {} }, { as })).body.forms[0]?.objectKey ?? '';
const filed = (answers: Record<string, unknown[]> = arrivalAnswers) =>
  submittedForm(testApp, { office }, 'arrival', answers);

test('the desk reads a form as text in its own language, with what to review and the allergies first', async () => {
  await filed({ ...arrivalAnswers, reason: ['Fever'], allergy: [true], which: ['Penicillin'] });
  const key = await newestKey();
  const { status, body } = await read(key);
  expect(status).toBe(200);
  expect(body).toMatchObject({
    patientName: 'Ada Byron',
    birthDate: '1990-12-10',
    formName: 'Arrival form',
    completedAt: '2026-03-02T15:00:00.000Z',
    outcome: 'review',
    amended: false,
    supersededAt: null,
  });
  expect(body.highlights.map(({ mark, text, answers }) => [mark, text, ...answers])).toEqual([
    ['review', 'What brings you here?', 'Fever'],
    ['allergy', 'Any allergies?', 'Yes'],
    ['allergy', 'Which ones?', 'Penicillin'],
  ]);
  expect(body.sections.flatMap(({ answers }) => answers.map(({ text, answers: lines }) => [text, ...lines]))).toEqual([
    ['What brings you here?', 'Fever'],
    ['Any allergies?', 'Yes'],
    ['Which ones?', 'Penicillin'],
    ['Your card'],
    ['Your signature', 'Signed by Ada Byron, by typing the name'],
  ]);
  const { body: inSpanish } = await read(key, { language: 'es' });
  expect(inSpanish.formName).toBe('Formulario de llegada');
  expect(inSpanish.highlights.map(({ text, answers }) => [text, ...answers])).toEqual([
    ['¿Por qué viene?', 'Fever'],
    ['Any allergies?', 'Sí'],
    ['Which ones?', 'Penicillin'],
  ]);
});

test('reading a form’s answers is in the audit log as opening it', async () => {
  const { submissionId } = await filed();
  await read(await newestKey());
  const opened = (await testApp.auditEntries(office)).filter(({ action }) => action === 'form.open');
  expect(opened).toMatchObject([{ subject: submissionId, outcome: 'done' }]);
});

test('the answers of another office, of an unknown key and through another office’s bucket are not found', async () => {
  await requestForms(testApp, testApp.other);
  await submittedForm(testApp, { office: testApp.other });
  const theirs = await newestKey(testApp.other);
  await filed();
  const ours = await newestKey();
  const replies = [
    await read(theirs),
    await read(ours, { as: testApp.other }),
    await read(ours, { bucket: testApp.other.npi }),
    await read('../../../etc/passwd'),
  ];
  expect(replies.map(({ status, body }) => [status, (body as unknown as { code: string }).code])).toEqual(
    Array(replies.length).fill([404, 'form_not_found']),
  );
  expect((await read(ours, { bucket: office.npi })).status).toBe(200);
});

test('an amended form and the one that it replaced can both be read, and say which is which', async () => {
  const { phone, memberId, definitionId } = await filed();
  const before = await newestKey();
  testApp.later(5);
  await phone.save(memberId, { definitionId, amend: true, answers: { ...arrivalAnswers, reason: ['Cough'] } });
  await phone.submit(memberId, 1);
  const reason = async (key: string) => {
    const { amended, supersededAt, sections } = (await read(key)).body;
    return [amended, supersededAt, sections[0]?.answers[0]?.answers[0]];
  };
  expect(await reason(before)).toEqual([false, '2026-03-02T15:05:00.000Z', 'Sore throat']);
  expect(await reason(await newestKey())).toEqual([true, null, 'Cough']);
});

test('photos and drawn signatures are shown by short-lived URLs; without the file store the text is still read', async () => {
  const visit = await testApp.visit({ office });
  const phone = openVisitPhone(testApp, visit.token);
  const memberId = await phone.first();
  const { definitionId } = (await phone.read(memberId)).body;
  const card = (await phone.upload(await photo())).body;
  const sign = (await phone.upload(await signatureImage(), 'image/png', 'signature')).body;
  const answers = {
    ...arrivalAnswers,
    card: [{ contentType: 'image/jpeg', url: card.url }],
    sign: [{ contentType: 'image/png', url: sign.url, title: 'Ada Byron' }],
  };
  await phone.save(memberId, { definitionId, answers });
  expect((await phone.submit(memberId, 1)).status).toBe(200);
  const key = await newestKey();
  const pictures = async () => (await read(key)).body.sections.flatMap((one) => one.answers.flatMap((a) => a.pictures));
  const shown = await pictures();
  expect(shown.map(({ description }) => description)).toEqual([
    'Photo for “Your card”',
    'Handwritten signature of Ada Byron',
  ]);
  const opened = await Promise.all(shown.map(({ url }) => testApp.app.inject(url ?? '')));
  expect(opened.map(({ headers }) => headers['content-type'])).toEqual(['image/jpeg', 'image/png']);
  expect(shown.map(({ url }) => url).join(' ')).not.toContain('Ada');

  const { storage } = testApp.services.providers;
  const { head } = storage;
  storage.head = () => Promise.reject(new Error('SlowDown'));
  const away = await pictures().finally(() => (storage.head = head));
  expect(away.map(({ url }) => url)).toEqual([null, null]);
});

test('a submitted survey is read the same way', async () => {
  const patient = await activePatient(testApp, { office });
  await surveysAt(testApp, '2026-03-03T15:00:00.000Z');
  expect((await patient.answer()).status).toBe(200);
  const row = await testApp.inOffice(office, (tx) =>
    tx.selectFrom('survey').select('objectKey').where('objectKey', 'is not', null).executeTakeFirstOrThrow(),
  );
  const { status, body } = await read(row.objectKey ?? '');
  expect(status).toBe(200);
  expect(body).toMatchObject({ patientName: 'Ada Byron', birthDate: null, outcome: null, supersededAt: null });
  expect(body.sections.flatMap(({ answers }) => answers).length).toBeGreaterThan(3);
});
