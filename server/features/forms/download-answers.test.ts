import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { formsDesk } from '#contract/index.ts';
import type { Questionnaire } from '#questionnaire/questionnaire.ts';
import { requestForms, submittedForm } from '#testing/fixtures/forms.ts';
import { sizeOfCsv } from './answers-csv.ts';
import { openTestApp, type TestApp, type TestOffice } from '#testing/app/test-app.ts';

const spanish = (content: string) => ({
  extension: [
    {
      url: 'http://hl7.org/fhir/StructureDefinition/translation',
      extension: [
        { url: 'lang', valueCode: 'es' },
        { url: 'content', valueString: content },
      ],
    },
  ],
});

const diary: Questionnaire = {
  resourceType: 'Questionnaire',
  id: 'diary',
  status: 'active',
  title: 'Diary',
  item: [
    { linkId: 'note', type: 'string', text: 'Note', _text: spanish('Nota') },
    { linkId: 'change', type: 'decimal', text: 'Change' },
    {
      linkId: 'mood',
      type: 'choice',
      text: 'Mood',
      repeats: true,
      answerOption: [
        { valueCoding: { code: 'good', display: 'Good', _display: spanish('Bien') } },
        { valueCoding: { code: 'tired', display: 'Tired', _display: spanish('Con cansancio') } },
      ],
    },
    {
      linkId: 'drug',
      type: 'group',
      text: 'Medicine',
      repeats: true,
      item: [
        { linkId: 'name', type: 'string', text: 'Name' },
        { linkId: 'since', type: 'date', text: 'Since' },
      ],
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
  await requestForms(testApp, office, [diary]);
});

const download = async (
  body: Partial<{ formType: string; startDate: string; endDate: string; patientName: string }> = {},
  { as = office, language = 'en' }: { as?: TestOffice; language?: string } = {},
) => {
  const options = { as, headers: { 'accept-language': language } };
  const {
    status,
    headers,
    body: file,
  } = await testApp.call(formsDesk.downloadAnswers, { body: { formType: 'diary', ...body } }, options);
  return {
    status,
    headers,
    file,
    lines: String(file)
      .replace(/^\uFEFF/, '')
      .trim()
      .split('\r\n'),
  };
};

test('answers are a CSV: one form a row, one question a column, repetitions beside each other', async () => {
  const one = await submittedForm(testApp, { office }, 'diary', {
    note: ['Fine, "mostly"'],
    change: [-1.5],
    mood: [
      { code: 'good', display: 'Good' },
      { code: 'tired', display: 'Tired' },
    ],
    drug: [2],
    'name#0': ['Aspirin'],
    'since#0': ['2026-01'],
    'name#1': ['Ibuprofen'],
  });
  testApp.later(10);
  const two = await submittedForm(testApp, { office, name: 'Bo Diddley' } as never, 'diary', { note: ['Well'] });
  const { status, headers, file, lines } = await download();
  expect(status).toBe(200);
  expect(headers['content-type']).toBe('text/csv; charset=utf-8');
  expect(headers['content-disposition']).toContain('filename="Arrival form 2026-03-02.csv"');
  expect(String(file).startsWith('\uFEFF')).toBe(true);
  expect(lines[0]).toBe(
    'Date,Time,Patient,Birth date,Outcome,Form version,Submission ID,Note,Change,Mood,Name,Since,Name (2)',
  );
  expect(lines[1]).toMatch(new RegExp(`^2026-03-02,10:10,.*,${two.submissionId},Well,,,,,$`));
  expect(lines[2]).toBe(
    `2026-03-02,10:00,Ada Byron,1990-12-10,,1,${one.submissionId},"Fine, ""mostly""",-1.5,Good | Tired,Aspirin,2026-01,Ibuprofen`,
  );
  const inSpanish = await download({}, { language: 'es' });
  expect(inSpanish.lines[0]).toMatch(/^Fecha,Hora,Paciente,.*,Nota,/);
  expect(inSpanish.lines[2]).toContain('Bien | Con cansancio');
});

test('no cell of the CSV starts a formula, whatever a patient typed', async () => {
  const hostile = ['=HYPERLINK("http://example.org")', '+1+1', '-1+1', '@SUM(A1)', ' =1', '=1', 'a;=1\n=1'];
  for (const note of hostile) await submittedForm(testApp, { office }, 'diary', { note: [note] });
  const cells = (await download()).lines.slice(1).map((line) => /^(?:[^,]*,){7}(.*?),*$/.exec(line)?.[1] ?? '');
  expect(cells).toHaveLength(hostile.length);
  for (const cell of cells) expect(cell).not.toMatch(/^"?\s*[=+\-@=]|[;\t\n]/);
});

test('a question that a newer version dropped keeps its column, and both versions share the others', async () => {
  await submittedForm(testApp, { office }, 'diary', { note: ['Old'], change: [2] });
  testApp.later(5);
  await requestForms(testApp, office, [
    {
      ...diary,
      item: [{ linkId: 'new', type: 'string', text: 'New' }, diary.item?.[0] ?? { linkId: '', type: 'string' }],
    },
  ]);
  await submittedForm(testApp, { office }, 'diary', { new: ['Yes'], note: ['Newer'] });
  const { lines } = await download();
  expect(lines.map((line) => line.split(',').slice(5).toSpliced(1, 1).join(','))).toEqual([
    'Form version,New,Note,Change',
    '2,Yes,Newer,',
    '1,,Old,2',
  ]);
});

test('days and names narrow the CSV, and an unfiled or replaced form is not in it', async () => {
  const { phone, memberId, definitionId } = await submittedForm(testApp, { office }, 'diary', { note: ['First'] });
  await phone.save(memberId, { definitionId, amend: true, answers: { note: ['Second'] } }, 'diary');
  await phone.submit(memberId, 1, 'diary');
  const rows = async (body: Parameters<typeof download>[0]) => (await download(body)).lines.slice(1);
  expect(await rows({})).toEqual([expect.stringMatching(/,Second$/)]);
  expect(await rows({ patientName: 'ada' })).toHaveLength(1);
  expect(await rows({ patientName: 'nobody' })).toEqual([]);
  expect(await rows({ startDate: '2026-03-02', endDate: '2026-03-02' })).toHaveLength(1);
  expect(await rows({ startDate: '2026-02-01', endDate: '2026-03-01' })).toEqual([]);
  expect((await download({ startDate: '2026-03-02', endDate: '2026-03-01' })).status).toBe(400);
});

test('each form in a CSV is in the audit log as downloaded, and another office’s forms are never in it', async () => {
  await requestForms(testApp, testApp.other, [diary]);
  await submittedForm(testApp, { office: testApp.other }, 'diary', { note: ['Theirs'] });
  const { submissionId } = await submittedForm(testApp, { office }, 'diary', { note: ['Ours'] });
  const ours = await download();
  expect(ours.lines).toHaveLength(2);
  expect(ours.file).not.toContain('Theirs');
  const entries = (await testApp.auditEntries(office)).filter(({ action }) => action === 'form.download');
  expect(entries).toMatchObject([{ subject: submissionId, details: { csv: 1 } }]);
  expect((await download({}, { as: testApp.other })).file).not.toContain('Ours');
});

test('a file is too large by its cells or by its bytes', () => {
  const size = sizeOfCsv();
  for (let i = 0; i < 29; i++) size.add({ one: 'é'.repeat(1_000_000) });
  expect([size.isTooLarge(4_000_000), size.isTooLarge(4_000_001)]).toEqual([false, true]);
  size.add({ one: 'é'.repeat(1_000_000) });
  expect(size.isTooLarge(1)).toBe(true);
});
