import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { sql } from 'kysely';
import { formsDesk } from '#contract/index.ts';
import { requestForms, submittedForm } from '#testing/fixtures/forms.ts';
import type { OfficeCtx } from '#server/context.ts';
import { downloadAnswers } from './download-answers.ts';
import { openTestApp, type TestApp, type TestOffice } from '#testing/app/test-app.ts';

const perHour = 12;

let testApp: TestApp;
let office: TestOffice;
beforeAll(async () => {
  testApp = await openTestApp({ env: { LOG_LEVEL: 'fatal' } });
});
afterAll(() => testApp.close());
beforeEach(async () => {
  office = await testApp.office();
  const note = { linkId: 'note', type: 'string', text: 'Note' } as const;
  await requestForms(testApp, office, [
    { resourceType: 'Questionnaire', id: 'diary', status: 'active', title: 'Diary', item: [note] },
  ]);
  await submittedForm(testApp, { office }, 'diary', { note: ['Ours'] });
});

const download = async (as = office) =>
  (await testApp.call(formsDesk.downloadAnswers, { body: { formType: 'diary' } }, { as })).status;

/** Nobody reads a form until the work is done, as while a table is changed. */
const withLockedForms = <T>(work: () => Promise<T>): Promise<T> =>
  testApp.owner.transaction().execute(async (tx) => {
    await sql`lock table form_submission in access exclusive mode`.execute(tx);
    return work();
  });

test('a CSV that was refused because others are being made does not use up one of the practice’s CSVs of the hour', async () => {
  const asked = await withLockedForms(async () => {
    // Each office gets one turn; those that wait for longer are refused while the first one still reads.
    const all = Array.from({ length: perHour }, () => download());
    let refused = 0;
    await new Promise<void>((done) => {
      for (const one of all) void one.then(() => ++refused === perHour - 1 && done());
    });
    return all;
  });
  const statuses = (await Promise.all(asked)).sort();
  expect(statuses).toEqual([200, ...Array.from({ length: perHour - 1 }, () => 503)]);
  const others = await Promise.all([download(), download()]);
  expect(others).toEqual([200, 200]);
});

test('a CSV whose statement waits for a lock gives its place to others at its deadline', async () => {
  const ctx = { ...testApp.scopeOf(office), language: 'en', timeZone: 'America/New_York' } as unknown as OfficeCtx;
  const asked = { formType: 'diary', startDate: undefined, endDate: undefined, patientName: undefined };
  const refusal = await withLockedForms(() => downloadAnswers(ctx, asked, 300).catch((error: unknown) => error));
  expect(refusal).toMatchObject({ code: 'answers_csv_too_long' });
  expect(await download()).toBe(200);
});

test('a practice gets twelve CSVs an hour, and another practice has its own twelve', async () => {
  for (let i = 0; i < perHour; i++) expect(await download()).toBe(200);
  expect(await download()).toBe(429);
  expect(await download(testApp.other)).not.toBe(429);
});
