import { afterAll, beforeEach, expect, test } from 'vitest';
import { formsDesk } from '#contract/index.ts';
import { requestForms, submittedForm } from '#testing/fixtures/forms.ts';
import { openTestApp, type TestOffice } from '#testing/app/test-app.ts';
import { sweepForms } from '#server/features/forms/jobs.ts';

const testApp = await openTestApp();
afterAll(() => testApp.close());

let office: TestOffice;
let key: string;
beforeEach(async () => {
  testApp.at('2026-03-02T15:00:00.000Z');
  office = await testApp.office();
  await requestForms(testApp, office);
  await submittedForm(testApp, { office });
  const { forms } = (await testApp.call(formsDesk.listFormPaths, { query: {} }, { as: office })).body;
  key = forms[0]?.objectKey ?? '';
});

const linked = async () => (await testApp.call(formsDesk.readFormUrl, { query: { key } }, { as: office })).body;
const open = (url: string, method: 'GET' | 'HEAD' | 'POST' | 'DELETE' = 'GET') => testApp.app.inject({ method, url });
const count = () =>
  testApp.inOffice(office, (tx) => tx.selectFrom('fileLink').select('id').execute()).then((rows) => rows.length);

test('a file link contains neither name nor key', async () => {
  const { url, fileName } = await linked();
  expect(fileName).toBe('2026-03-02 Ada Byron Arrival form.pdf');
  expect(url).toMatch(/^\/files\/[\w-]{64}$/);
  const decoded = Buffer.from(url.slice('/files/'.length), 'base64url').toString('latin1');
  for (const secret of ['Ada', 'Byron', key]) expect(decoded + url).not.toContain(secret);
});

test('a file link shows the file in the browser under its name, uncached', async () => {
  const { url, fileName } = await linked();
  const answer = await open(url);
  expect(answer.statusCode).toBe(200);
  expect(answer.rawPayload.subarray(0, 5).toString()).toBe('%PDF-');
  expect(answer.headers).toMatchObject({
    'content-type': 'application/pdf',
    'cache-control': 'private, no-store',
    'x-robots-tag': 'noindex, nofollow, noarchive',
    'content-security-policy': "default-src 'none'; frame-ancestors 'self'",
    'content-disposition': `inline; filename="${fileName}"; filename*=UTF-8''${encodeURIComponent(fileName)}`,
  });
});

test('a file link works for two minutes and changes nothing', async () => {
  const { url, expiresAt } = await linked();
  expect(expiresAt).toBe('2026-03-02T15:02:00.000Z');
  for (const method of ['POST', 'DELETE'] as const) expect((await open(url, method)).statusCode).toBe(404);
  testApp.at('2026-03-02T15:01:59.999Z');
  expect((await open(url)).statusCode).toBe(200);
  testApp.at('2026-03-02T15:02:00.000Z');
  expect((await open(url)).statusCode).toBe(404);
});

test('the button of a file link takes no body to speak of', async () => {
  const { url } = await linked();
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const press = async (payload: string) =>
    (await testApp.app.inject({ method: 'POST', url, headers, payload })).statusCode;
  expect(await press('x'.repeat(1_000))).toBe(404);
  expect(await press('x'.repeat(1_001))).toBe(413);
});

test('a tampered file link opens nothing: other office, other row, other signature, other length', async () => {
  const link = (await linked()).url.slice('/files/'.length);
  const bytes = () => Buffer.from(link, 'base64url');
  const other = await testApp.office();
  const withOffice = bytes();
  Buffer.from(other.id.replaceAll('-', ''), 'hex').copy(withOffice);
  const flipped = (at: number) => {
    const changed = bytes();
    changed[at] = (changed[at] ?? 0) ^ 1;
    return changed.toString('base64url');
  };
  const wrong = [
    withOffice.toString('base64url'),
    flipped(20),
    flipped(47),
    link.slice(1),
    `${link}A`,
    '%00',
    encodeURIComponent(key),
  ];
  for (const one of wrong) expect((await open(`/files/${one}`)).statusCode, one).toBe(404);
});

test('the hourly sweep deletes expired file links of every office', async () => {
  await linked();
  expect(await count()).toBe(1);
  await sweepForms(testApp.services);
  expect(await count()).toBe(1);
  testApp.later(3);
  await sweepForms(testApp.services);
  expect(await count()).toBe(0);
});
