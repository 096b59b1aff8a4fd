import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { PDFDocument } from 'pdf-lib';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { urls } from '#questionnaire/extensions.ts';
import type { Extension, Questionnaire, QuestionnaireResponse } from '#questionnaire/questionnaire.ts';
import { formsDesk, queue } from '#contract/index.ts';
import {
  arrivalAnswers,
  requestForms,
  signatureImage,
  openVisitPhone,
  photo,
  submittedForm,
} from '#testing/fixtures/forms.ts';
import { openTestApp, type TestApp, type TestOffice } from '#testing/app/test-app.ts';
import { pdfTexts } from '#testing/fixtures/pdf-texts.ts';

let testApp: TestApp;
let office: TestOffice;
let definitionId: string;
beforeAll(async () => {
  testApp = await openTestApp({ env: { LOG_LEVEL: 'fatal' } });
});
afterAll(() => testApp.close());
beforeEach(async () => {
  testApp.at('2026-03-02T15:00:00.000Z');
  office = await testApp.office();
  definitionId = (await requestForms(testApp, office))['arrival'] ?? '';
});

const rows = () => testApp.inOffice(office, (tx) => tx.selectFrom('formSubmission').selectAll().execute());
const files = () => testApp.inOffice(office, (tx) => tx.selectFrom('formFile').selectAll().orderBy('id').execute());

/** A phone that has saved these answers. */
async function saveAnswers(answers: Record<string, unknown[]> = arrivalAnswers) {
  const visit = await testApp.visit({ office });
  const phone = openVisitPhone(testApp, visit.token);
  const memberId = await phone.first();
  await phone.save(memberId, { definitionId, answers });
  return { visit, phone, memberId, submit: (version = 1) => phone.submit(memberId, version) };
}

test('a complete form is filed as data and as a PDF, with the PDF’s hash', async () => {
  const { submit, phone, memberId } = await saveAnswers();
  const { status, body } = await submit();
  expect(status).toBe(200);
  const [row] = await rows();
  expect(row).toMatchObject({
    id: body.submissionId,
    state: 'submitted',
    formName: 'Arrival form',
    patientName: 'Ada Byron',
    day: '2026-03-02',
    signedBy: 'Ada Byron',
    answers: {
      resourceType: 'QuestionnaireResponse',
      status: 'completed',
      authored: '2026-03-02T15:00:00.000Z',
      item: [
        { linkId: 'reason', answer: [{ valueString: 'Sore throat' }] },
        { linkId: 'allergy', answer: [{ valueBoolean: false }] },
        expect.objectContaining({ linkId: 'sign' }),
      ],
    },
  });
  expect(row?.objectKey).toMatch(new RegExp(`^${office.npi}/2026/03/02/[0-9a-f-]{36}$`));
  const link = (await phone.open(memberId)).body.url;
  const pdf = (await testApp.app.inject(link)).rawPayload;
  expect(createHash('sha256').update(pdf).digest('hex')).toBe(row?.sha256);
  const read = await PDFDocument.load(pdf, { updateMetadata: false });
  expect([read.getTitle(), read.getAuthor(), read.getPageCount()]).toEqual([
    'Arrival form',
    'Maple Street Pediatrics',
    1,
  ]);
});

test.each([
  ['nothing at all', {}, ['required', 'required', 'not_signed']],
  ['blank words', { ...arrivalAnswers, reason: ['   '] }, ['required']],
  ['no signature', { reason: ['Cough'], allergy: [false] }, ['not_signed']],
  ['a question that an answer brought up', { ...arrivalAnswers, allergy: [true] }, ['required']],
  ['an answer of a wrong kind', { ...arrivalAnswers, allergy: ['maybe'] }, ['wrong_kind']],
  [
    'a blank name as signature',
    { ...arrivalAnswers, sign: [{ contentType: 'text/plain', title: ' ' }] },
    ['not_signed'],
  ],
  [
    'a picture nobody handed in',
    { ...arrivalAnswers, card: [{ contentType: 'image/jpeg', url: 'urn:uuid:019f1111-1111-7111-8111-111111111111' }] },
    ['wrong_kind'],
  ],
  [
    'a picture inside the answers',
    { ...arrivalAnswers, card: [{ contentType: 'image/jpeg', data: 'AAAA' }] },
    ['wrong_kind'],
  ],
  [
    'a picture from elsewhere',
    { ...arrivalAnswers, card: [{ contentType: 'image/jpeg', url: 'https://example.org/a.jpg' }] },
    ['wrong_kind'],
  ],
])('submitting a form with %s is refused with the problems', async (_what, answers, codes) => {
  const { submit } = await saveAnswers(answers as Record<string, unknown[]>);
  const { status, body } = await submit();
  expect([status, body.code]).toEqual([422, 'form_incomplete']);
  expect((body.current as { problems: { code: string }[] }).problems.map(({ code }) => code)).toEqual(codes);
  expect((await rows()).map(({ state }) => state)).toEqual(['draft']);
  expect(await files()).toEqual([]);
});

test('a form that was never begun cannot be submitted', async () => {
  const phone = openVisitPhone(testApp, (await testApp.visit({ office })).token);
  expect(await phone.submit(await phone.first(), 0)).toMatchObject({ status: 422, body: { code: 'form_incomplete' } });
});

test('answers to hidden questions are not filed', async () => {
  const { submit } = await saveAnswers({ ...arrivalAnswers, which: ['Penicillin'] });
  expect(await submit()).toMatchObject({ status: 200 });
  expect(JSON.stringify((await rows())[0]?.answers)).not.toContain('Penicillin');
});

test('the PDF contains the photos and the drawn signature as they were stored', async () => {
  const { phone, memberId } = await saveAnswers();
  const card = (await phone.upload(await photo(640, 400))).body;
  const sign = (await phone.upload(await signatureImage(), 'image/png', 'signature')).body;
  const answers = {
    ...arrivalAnswers,
    card: [{ contentType: 'text/html', url: card.url, size: 1 }],
    sign: [{ contentType: 'image/png', url: sign.url, title: 'Ada Byron' }],
  };
  await phone.save(memberId, { definitionId, version: 1, answers });
  expect(await phone.submit(memberId, 2)).toMatchObject({ status: 200 });
  const filed = (await rows())[0]?.answers as { item: { linkId: string; answer: unknown[] }[] } | undefined;
  expect(filed?.item.find(({ linkId }) => linkId === 'card')?.answer).toEqual([
    { valueAttachment: { contentType: 'image/jpeg', url: card.url, size: card.size } },
  ]);
  const kept = await files();
  expect(kept.map(({ kind, usedAt }) => [kind, usedAt !== null]).sort()).toEqual([
    ['pdf', true],
    ['photo', true],
    ['signature', true],
  ]);
  const pdf = (await testApp.app.inject((await phone.open(memberId)).body.url)).rawPayload;
  expect(pdf.toString('latin1').match(/\/Subtype \/Image/g)?.length).toBeGreaterThanOrEqual(2);
});

test('pictures of more than 60 MB together are refused at the question with too many; without them the form is filed', async () => {
  const { phone, memberId } = await saveAnswers();
  const card = (await phone.upload(await photo(640, 400))).body;
  const sign = (await phone.upload(await signatureImage(), 'image/png', 'signature')).body;
  const another = await testApp.visit({ office });
  const other = (await openVisitPhone(testApp, another.token).upload(await photo())).body;
  await testApp.inOffice(office, async (tx) => {
    const resize = (id: string, bytes: number) =>
      tx.updateTable('formFile').set({ bytes }).where('id', '=', id).where('officeId', '=', office.id).execute();
    await resize(card.fileId, 59_000_000);
    await resize(sign.fileId, 2_000_000);
    await resize(other.fileId, 59_000_000); // of another visit, so it does not count
  });
  const signed = { ...arrivalAnswers, sign: [{ contentType: 'image/png', url: sign.url, title: 'Ada Byron' }] };
  const both = { card: [{ contentType: 'image/jpeg', url: card.url }], ...signed };
  await phone.save(memberId, { definitionId, version: 1, answers: both });
  const { status, body } = await phone.submit(memberId, 2);
  const problem = { code: 'files_too_big', linkId: 'sign', path: 'sign', detail: 60 };
  expect([status, body]).toMatchObject([422, { code: 'form_incomplete', current: { problems: [problem] } }]);
  await phone.save(memberId, { definitionId, version: 2, answers: signed });
  expect(await phone.submit(memberId, 3)).toMatchObject({ status: 200 });
});

test('a form that breaks its own rule is refused with the words of the rule at its question', async () => {
  const rule = {
    url: 'http://hl7.org/fhir/StructureDefinition/questionnaire-constraint',
    extension: [
      { url: 'key', valueId: 'k' },
      { url: 'severity', valueCode: 'error' },
      { url: 'expression', valueString: "%resource.item.where(linkId='start').answer.value <= answer.value" },
      { url: 'human', valueString: 'The end is before the start.' },
    ],
  };
  const stay: Questionnaire = {
    resourceType: 'Questionnaire',
    id: 'stay',
    title: 'Stay',
    item: [
      { linkId: 'start', type: 'date', text: 'From' },
      { linkId: 'end', type: 'date', text: 'To', extension: [rule] },
    ],
  };
  const definition = (await requestForms(testApp, office, [stay]))['stay'];
  const phone = openVisitPhone(testApp, (await testApp.visit({ office })).token);
  const memberId = await phone.first();
  const answers = { start: ['2026-01-02'], end: ['2026-01-01'] };
  await phone.save(memberId, { definitionId: definition, answers }, 'stay');
  const { status, body } = await phone.submit(memberId, 1, 'stay');
  const message = { en: 'The end is before the start.', es: 'The end is before the start.' };
  const problem = { code: 'constraint', linkId: 'end', path: 'end', message };
  expect([status, body]).toMatchObject([422, { code: 'form_incomplete', current: { problems: [problem] } }]);
  await phone.save(
    memberId,
    { definitionId: definition, version: 1, answers: { ...answers, end: ['2026-01-03'] } },
    'stay',
  );
  expect(await phone.submit(memberId, 2, 'stay')).toMatchObject({ status: 200 });
});

test('a body mass index with more decimals than its form takes is filed rounded', async () => {
  const ofAnswer = (linkId: string) => `%resource.item.where(linkId='${linkId}').answer.value`;
  const expression = `${ofAnswer('kg')} / (${ofAnswer('m')} * ${ofAnswer('m')})`;
  const bodyMass: Questionnaire = {
    resourceType: 'Questionnaire',
    id: 'bmi',
    title: 'Body mass',
    item: [
      { linkId: 'kg', type: 'decimal', text: 'Weight' },
      { linkId: 'm', type: 'decimal', text: 'Height' },
      {
        linkId: 'bmi',
        type: 'decimal',
        text: 'Body mass index',
        readOnly: true,
        extension: [
          { url: 'http://hl7.org/fhir/StructureDefinition/maxDecimalPlaces', valueInteger: 1 },
          { url: urls.calculated, valueExpression: { language: 'text/fhirpath', expression } },
        ],
      },
    ],
  };
  const definition = (await requestForms(testApp, office, [bodyMass]))['bmi'];
  const phone = openVisitPhone(testApp, (await testApp.visit({ office })).token);
  const memberId = await phone.first();
  await phone.save(memberId, { definitionId: definition, answers: { kg: [70], m: [1.73] } }, 'bmi');
  expect(await phone.submit(memberId, 1, 'bmi')).toMatchObject({ status: 200 });
  expect((await rows())[0]?.answers).toMatchObject({
    item: [{}, {}, { linkId: 'bmi', answer: [{ valueDecimal: 23.4 }] }],
  });
});

test('a read-only or hidden answer that a phone changed is filed as the form has it', async () => {
  const hidden = { url: 'http://hl7.org/fhir/StructureDefinition/questionnaire-hidden', valueBoolean: true };
  const fixed: Questionnaire = {
    resourceType: 'Questionnaire',
    id: 'fixed',
    title: 'Fixed',
    item: [
      { linkId: 'why', type: 'string', text: 'Why?' },
      { linkId: 'study', type: 'string', text: 'Study', readOnly: true, initial: [{ valueString: 'S-1' }] },
      { linkId: 'name', type: 'string', extension: [hidden, { url: urls.known, valueString: 'name' }] },
    ],
  };
  const definition = (await requestForms(testApp, office, [fixed]))['fixed'];
  const phone = openVisitPhone(testApp, (await testApp.visit({ office })).token);
  const memberId = await phone.first();
  const answers = { why: ['Cough'], study: ['FORGED'], name: ['Somebody Else'] };
  await phone.save(memberId, { definitionId: definition, answers }, 'fixed');
  expect(await phone.submit(memberId, 1, 'fixed')).toMatchObject({ status: 200 });
  expect((await rows())[0]?.answers).toMatchObject({
    item: [{}, { answer: [{ valueString: 'S-1' }] }, { answer: [{ valueString: 'Ada Byron' }] }],
  });
});

test('a photo of a card is refused as a signature', async () => {
  const { phone, memberId } = await saveAnswers();
  const { url } = (await phone.upload(await photo(640, 400))).body;
  await phone.save(memberId, { definitionId, version: 1, answers: { ...arrivalAnswers, sign: [{ url }] } });
  const { status, body } = await phone.submit(memberId, 2);
  expect([status, body]).toMatchObject([422, { current: { problems: [{ code: 'not_signed', linkId: 'sign' }] } }]);
});

test('a photo of another visit is refused', async () => {
  const other = openVisitPhone(testApp, (await testApp.visit({ office })).token);
  const theirs = (await other.upload(await photo())).body;
  const { submit } = await saveAnswers({ ...arrivalAnswers, card: [{ contentType: 'image/jpeg', url: theirs.url }] });
  expect(await submit()).toMatchObject({ status: 422 });
});

test('submitting twice, or ten times concurrently, files the form once', async () => {
  const { submit } = await saveAnswers();
  const all = await Promise.all(Array.from({ length: 10 }, () => submit()));
  expect(all.map(({ status }) => status)).toEqual(Array(10).fill(200));
  expect(new Set(all.map(({ body }) => body.submissionId)).size).toBe(1);
  expect(await submit()).toMatchObject({ status: 200, body: { submissionId: all[0]?.body.submissionId } });
  expect(await rows()).toHaveLength(1);
  expect((await files()).filter(({ kind }) => kind === 'pdf')).toHaveLength(1);
  const told = (await testApp.auditEntries(office)).filter(({ action }) => action === 'form.submit');
  expect(told.filter(({ outcome }) => outcome === 'done')).toHaveLength(1);
});

test('if another phone saved in between, submitting files nothing its patient did not see', async () => {
  const { phone, memberId, submit } = await saveAnswers();
  await phone.save(memberId, { definitionId, version: 1, answers: { ...arrivalAnswers, reason: ['Fever'] } });
  const { status, body } = await submit(1);
  expect([status, body.code]).toEqual([409, 'form_changed']);
  expect(body.current).toMatchObject({ version: 2, answers: { reason: ['Fever'] } });
  expect(await submit(2)).toMatchObject({ status: 200 });
});

test('if the store fails, the draft stays; submitting succeeds once the store is back', async () => {
  const { submit, visit } = await saveAnswers();
  const { storage } = testApp.services.providers;
  const put = storage.put;
  storage.put = () => Promise.reject(Object.assign(new Error('SlowDown'), { code: 'SlowDown' }));
  const refused = await submit();
  storage.put = put;
  expect([refused.status, refused.body.code, refused.headers['retry-after']]).toEqual([503, 'files_away', '5']);
  expect((await rows()).map(({ state, objectKey }) => [state, objectKey])).toEqual([['draft', null]]);
  expect(await files()).toEqual([]);
  const { body: open } = await testApp.call(queue.listQueue, { query: {} }, { as: office });
  expect(open.find(({ id }) => id === visit.id)?.forms[0]).toMatchObject({ complete: false, started: 1 });
  expect(await submit()).toMatchObject({ status: 200 });
});

test('if the database fails after the PDF was stored, no file is left behind', async () => {
  const { submit } = await saveAnswers();
  await sql`alter table form_day add constraint refuses check (version < 0) not valid`.execute(testApp.owner);
  expect(await submit()).toMatchObject({ status: 500 });
  await sql`alter table form_day drop constraint refuses`.execute(testApp.owner);
  expect((await rows()).map(({ state }) => state)).toEqual(['draft']);
  expect(await files()).toEqual([]);
  expect(await submit()).toMatchObject({ status: 200 });
});

test('a form filled in Spanish has a Spanish PDF, accents included', async () => {
  const { phone, memberId, visit } = await submittedForm(testApp, {
    office,
    language: 'es',
    firstName: 'José',
    lastName: 'Peña Ñandú',
  });
  const pdf = (await testApp.app.inject((await phone.open(memberId)).body.url)).rawPayload;
  const read = await PDFDocument.load(pdf, { updateMetadata: false });
  expect(read.getTitle()).toBe('Formulario de llegada');
  expect(visit.patientName).toBe('José Peña Ñandú');
  const pdfLines = (await pdfTexts(pdf)).map((text) => text.replace(/\s/gu, ' '));
  expect(pdfLines).toContain('2 de marzo de 2026 a las 10:00:00 a.m. EST');
});

const byExpression = (url: string, expression: string): Extension => ({
  url,
  valueExpression: { language: 'text/fhirpath', expression },
});
const points = "%resource.item.where(linkId='points').answer.value";

/** A form that calculates: the answers determine a hidden sum, and the sum determines what is asked and the outcome. */
const sums: Questionnaire = {
  resourceType: 'Questionnaire',
  id: 'sums',
  status: 'active',
  title: 'Sums',
  extension: [
    {
      url: urls.outcome,
      extension: [
        { url: 'outcome', valueCode: 'review' },
        {
          url: 'when',
          extension: [
            { url: 'question', valueString: 'sum' },
            { url: 'operator', valueCode: '>=' },
            { url: 'answer', valueInteger: 10 },
          ],
        },
      ],
    },
    { url: urls.outcome, extension: [{ url: 'outcome', valueCode: 'clear' }] },
  ],
  item: [
    { linkId: 'points', type: 'integer', text: 'How many points?', required: true },
    {
      linkId: 'sum',
      type: 'integer',
      text: 'The sum',
      extension: [{ url: urls.hidden, valueBoolean: true }, byExpression(urls.calculated, `${points} * 2`)],
    },
    {
      linkId: 'why',
      type: 'string',
      text: 'Why so many?',
      required: true,
      extension: [byExpression(urls.enabledBy, `${points} > 4`)],
    },
  ],
};

test.each([
  ['few points', { points: [2], sum: [99], why: ['Said before'] }, 'clear', false],
  ['many points', { points: [6], sum: [0], why: ['I count well'] }, 'review', true],
])('%s: PDF, data and outcome follow the server’s calculation', async (_what, answers, outcome, isAsked) => {
  await requestForms(testApp, office, [sums]);
  const { phone, memberId } = await submittedForm(testApp, { office }, 'sums', answers);
  const pdf = (await testApp.app.inject((await phone.open(memberId, 'sums')).body.url)).rawPayload;
  const pdfLines = await pdfTexts(pdf);
  expect(pdfLines.filter((text) => /Why so many|The sum/.test(text))).toEqual(isAsked ? ['Why so many?'] : []);
  const [row] = await rows();
  expect(row?.outcome).toBe(outcome);
  // Only the COVID screening is called COVID.
  const [entry] = (await testApp.call(queue.listQueue, { query: {} }, { as: office })).body;
  expect(entry).toMatchObject({ covid: false, patientCovidWarning: false, forms: [{ indicator: 'sums', outcome }] });
  const [listed] = (await testApp.call(queue.listCheckedIn, { params: { npi: office.npi } }, { as: office })).body;
  expect(listed).toMatchObject({ review: outcome === 'review', covidReview: false });
  const userCode = entry?.patientUserCode ?? '';
  const { body: family } = await testApp.call(formsDesk.listUserForms, { query: { userCode } }, { as: office });
  expect(family[0]?.forms[0]?.label).toBe(outcome === 'review' ? '3/2/26 Review: Arrival form' : '3/2/26 Form');
  await testApp.inOffice(office, (tx) =>
    tx.updateTable('formSubmission').set({ formType: 'covid-screening' }).where('officeId', '=', office.id).execute(),
  );
  const [screened] = (await testApp.call(queue.listCheckedIn, { params: { npi: office.npi } }, { as: office })).body;
  expect(screened).toMatchObject({ review: outcome === 'review', covidReview: outcome === 'review' });
  const { body: renamed } = await testApp.call(formsDesk.listUserForms, { query: { userCode } }, { as: office });
  expect(renamed[0]?.forms[0]?.label).toBe(outcome === 'review' ? '3/2/26 COVID Review' : '3/2/26 COVID Clear');
  const filed = row?.answers as { item: { linkId: string; answer: { valueInteger?: number }[] }[] } | undefined;
  expect(filed?.item.map(({ linkId }) => linkId)).toEqual(['points', 'sum', ...(isAsked ? ['why'] : [])]);
  expect(filed?.item[1]?.answer).toEqual([{ valueInteger: isAsked ? 12 : 4 }]);
});

/** Scored like published instruments: by the extension of the chosen option. */
const scored: Questionnaire = {
  resourceType: 'Questionnaire',
  id: 'scored',
  status: 'active',
  title: 'Scored',
  item: [
    ...['tired', 'sad'].map((linkId) => ({
      linkId,
      type: 'choice',
      text: linkId,
      required: linkId === 'tired',
      answerOption: [0, 1, 2, 3].map((valueDecimal) => ({
        valueCoding: {
          system: 'urn:often',
          code: `c${valueDecimal}`,
          extension: [{ url: urls.ordinalValue, valueDecimal }],
        },
      })),
    })),
    {
      linkId: 'total',
      type: 'decimal',
      text: 'Total of ≥ 2 answers',
      required: true,
      readOnly: true,
      extension: [
        byExpression(
          urls.calculated,
          ['tired', 'sad']
            .map(
              (linkId) =>
                `%resource.item.where(linkId='${linkId}').answer.valueCoding.extension('${urls.ordinalValue}').value`,
            )
            .join(' + '),
        ),
      ],
    },
  ],
};
const often = (score: number) => [{ system: 'urn:often', code: `c${score}` }];

test.each([
  ['the score is filed and printed', { tired: often(3), sad: often(2) }, [{ valueDecimal: 5 }], '5'],
  [
    'a required score without a result does not block the form, and the PDF says so',
    { tired: often(3) },
    undefined,
    'Not calculated: some answers are missing.',
  ],
])('a form with a score: %s', async (_what, answers, total, printed) => {
  await requestForms(testApp, office, [scored]);
  const { phone, memberId } = await submittedForm(testApp, { office }, 'scored', answers);
  const pdfLines = await pdfTexts(
    (await testApp.app.inject((await phone.open(memberId, 'scored')).body.url)).rawPayload,
  );
  expect(pdfLines.join(' ').replace(/\s+/g, ' ')).toContain(`Total of ≥ 2 answers ${printed}`);
  const filed = (await rows())[0]?.answers as { item: { linkId: string; answer: unknown[] }[] } | undefined;
  expect(filed?.item.find(({ linkId }) => linkId === 'total')?.answer).toEqual(total);
  expect(JSON.stringify(filed)).not.toContain('extension');
});

test('the patient opens their own copy, and nobody else’s', async () => {
  const { phone, memberId } = await submittedForm(testApp, { office });
  const { body } = await phone.open(memberId);
  expect(body.fileName).toBe('2026-03-02 Ada Byron Arrival form.pdf');
  const other = openVisitPhone(testApp, (await testApp.visit({ office })).token);
  expect(await other.open(memberId)).toMatchObject({ status: 404, body: { code: 'form_not_found' } });
});

test('a date that nobody can change is the day on which the patient began the form, also in an amendment', async () => {
  const dated: Questionnaire = {
    resourceType: 'Questionnaire',
    id: 'dated',
    status: 'active',
    title: 'Consent',
    item: [
      {
        linkId: 'day',
        type: 'date',
        text: 'Today is',
        readOnly: true,
        extension: [{ url: urls.initialBy, valueExpression: { language: 'text/fhirpath', expression: 'today()' } }],
      },
      { linkId: 'agrees', type: 'boolean', text: 'I agree', required: true },
    ],
  };
  const { dated: id } = await requestForms(testApp, office, [dated]);
  const visit = await testApp.visit({ office });
  const phone = openVisitPhone(testApp, visit.token);
  const memberId = await phone.first();
  const answers = { day: ['2026-03-02'], agrees: [true] };
  const dayFiled = async () => {
    const filed = (await rows()).find(({ state, supersededAt }) => state !== 'draft' && !supersededAt);
    return (filed?.answers as unknown as QuestionnaireResponse | undefined)?.item?.[0];
  };
  testApp.at('2026-03-03T04:50:00.000Z'); // 23:50 of March 2 in New York
  await phone.save(memberId, { definitionId: id, answers }, 'dated');
  testApp.at('2026-03-03T05:10:00.000Z');
  expect((await phone.submit(memberId, 1, 'dated')).status).toBe(200);
  expect(await dayFiled()).toMatchObject({ linkId: 'day', answer: [{ valueDate: '2026-03-02' }] });

  testApp.at('2026-03-03T15:00:00.000Z');
  await phone.save(memberId, { definitionId: id, answers, amend: true }, 'dated');
  expect((await phone.submit(memberId, 1, 'dated')).status).toBe(200);
  expect(await dayFiled()).toMatchObject({ linkId: 'day', answer: [{ valueDate: '2026-03-02' }] });
});

test('a required question that nobody can answer keeps no form from being filed', async () => {
  const by = (url: string, value: object): Extension => ({ url, ...value });
  const hidden = by(urls.hidden, { valueBoolean: true });
  const empty = by(urls.calculated, { valueExpression: { language: 'text/fhirpath', expression: '{}' } });
  const required = (linkId: string, more: object) => ({
    linkId,
    type: 'string',
    text: linkId,
    required: true,
    ...more,
  });
  const blocked: Questionnaire = {
    resourceType: 'Questionnaire',
    id: 'blocked',
    status: 'active',
    title: 'Blocked',
    item: [
      { linkId: 'reason', type: 'string', text: 'Why are you here?' },
      required('read-only', { readOnly: true }),
      required('hidden', { extension: [hidden] }),
      required('calculated', { extension: [empty] }),
      required('twice', { repeats: true, readOnly: true, extension: [by(urls.minOccurs, { valueInteger: 2 })] }),
      required('for-readers', { extension: [by(urls.usageMode, { valueCode: 'display' })] }),
      { linkId: 'g', type: 'group', required: true, extension: [hidden], item: [required('in-hidden', {})] },
      { linkId: 'h', type: 'group', required: true, item: [required('score', { readOnly: true, extension: [empty] })] },
    ],
  };
  await requestForms(testApp, office, [blocked]);
  // It throws if the form is not filed.
  await expect(submittedForm(testApp, { office }, 'blocked', { reason: ['A cough'] })).resolves.toBeDefined();
});
