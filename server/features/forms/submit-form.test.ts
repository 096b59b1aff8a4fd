import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { PDFDocument } from 'pdf-lib';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Questionnaire } from '#questionnaire/questionnaire.ts';
import { queue } from '#contract/index.ts';
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

test('the patient opens their own copy, and nobody else’s', async () => {
  const { phone, memberId } = await submittedForm(testApp, { office });
  const { body } = await phone.open(memberId);
  expect(body.fileName).toBe('2026-03-02 Ada Byron Arrival form.pdf');
  const other = openVisitPhone(testApp, (await testApp.visit({ office })).token);
  expect(await other.open(memberId)).toMatchObject({ status: 404, body: { code: 'form_not_found' } });
});
