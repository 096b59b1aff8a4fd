import { fromBuffer, type Entry } from 'yauzl';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { formsDesk, queue } from '#contract/index.ts';
import { arrivalAnswers, requestForms, openVisitPhone, photo, submittedForm } from '#testing/fixtures/forms.ts';
import { openTestApp, type TestApp, type TestOffice } from '#testing/app/test-app.ts';
import { openS3Server, type S3Server, type S3Fault } from '#testing/stand-ins/s3-server.ts';
import { sweepForms } from './jobs.ts';

let bucket: S3Server;
let testApp: TestApp;
let office: TestOffice;
let definitionId: string;

beforeAll(async () => {
  bucket = await openS3Server({ now: () => testApp.now() });
  testApp = await openTestApp({ env: { ...bucket.env, LOG_LEVEL: 'fatal' } });
});
beforeEach(async () => {
  bucket.forget();
  testApp.at('2026-03-02T15:00:00.000Z');
  office = await testApp.office();
  definitionId = (await requestForms(testApp, office))['arrival'] ?? '';
});
afterAll(async () => {
  await testApp.close();
  await bucket.close();
});

const keys = () => [...bucket.objects.keys()];
const list = async () => (await testApp.call(formsDesk.listFormPaths, { query: {} }, { as: office })).body.forms;
const rows = () =>
  testApp.inOffice(office, (tx) => tx.selectFrom('formSubmission').select(['state', 'objectKey']).execute());
const files = () => testApp.inOffice(office, (tx) => tx.selectFrom('formFile').select(['id', 'objectKey']).execute());
const asDesk = () => ({ authorization: `Bearer ${office.token}`, 'x-office': office.id });

/** A completely filled form with a card's photo, ready to submit. */
async function fillForm() {
  const visit = await testApp.visit({ office });
  const phone = openVisitPhone(testApp, visit.token);
  const memberId = await phone.first();
  const { body: card } = await phone.upload(await photo());
  const answers = { ...arrivalAnswers, card: [{ url: card.url }] };
  await phone.save(memberId, { definitionId, answers });
  return { visit, phone, memberId, submit: () => phone.submit(memberId, 1) };
}

test('a form stored in a bucket keeps every byte, from the phone to the zip', async () => {
  const { phone, memberId, submit } = await fillForm();
  expect((await submit()).status).toBe(200);
  await submittedForm(testApp, { office, firstName: 'Grace', lastName: 'Hopper' });
  const forms = await list();
  expect(keys().sort()).toEqual((await files()).map(({ objectKey }) => objectKey).sort());
  expect(keys().every((key) => key.startsWith(`${office.npi}/2026/03/02/`))).toBe(true);
  // The ids in the keys are random hexadecimal digits, which may spell a name.
  const withoutIds = keys().map((key) => key.replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, ''));
  expect(withoutIds.join()).not.toMatch(/ada|byron|grace|hopper/i);

  const [form] = forms.filter(({ patientName }) => patientName === 'Ada Byron');
  const stored = bucket.objects.get(form?.objectKey ?? '')?.content ?? Buffer.alloc(0);
  const download = await testApp.app.inject({
    method: 'GET',
    url: `/api/forms/form/download?key=${form?.objectKey}`,
    headers: asDesk(),
  });
  expect(download.rawPayload.equals(stored)).toBe(true);
  expect(download.rawPayload.subarray(0, 5).toString()).toBe('%PDF-');

  for (const { url, fileName } of [
    (await testApp.call(formsDesk.readFormUrl, { query: { key: form?.objectKey ?? '' } }, { as: office })).body,
    (await phone.open(memberId)).body,
  ]) {
    expect(url).toMatch(/^\/files\/[\w-]{64}$/);
    const opened = await testApp.app.inject(url);
    expect(opened.headers['content-disposition']).toContain(encodeURIComponent(fileName));
    expect(opened.rawPayload.equals(stored)).toBe(true);
  }
  const page = await testApp.app.inject({ method: 'GET', url: '/' });
  expect(page.headers['content-security-policy']).toContain(`frame-src 'self';`);
  const { url } = (await phone.open(memberId)).body;
  bucket.trouble('GET', { status: 403, code: 'AccessDenied' });
  expect(await testApp.app.inject(url)).toMatchObject({ statusCode: 503 });

  const zip = await testApp.app.inject({
    method: 'POST',
    url: '/api/forms/bulk-download',
    headers: asDesk(),
    payload: { forms: forms.map(({ objectKey }) => objectKey) },
  });
  expect(Number(zip.headers['content-length'])).toBe(zip.rawPayload.length);
  const entries = await unzip(zip.rawPayload);
  expect(entries.map(({ uncompressedSize }) => uncompressedSize)).toEqual(forms.map(({ bytes }) => bytes));
});

const denied = { status: 403, code: 'AccessDenied' };
const away: [string, S3Fault[]][] = [
  ['locks us out', [denied]],
  ['is cut halfway and then locks us out', ['cut halfway', denied]],
  ['gets something else than was sent and then locks us out', ['wrong byte', denied]],
];
test.each(away)(
  'if the bucket %s, submitting keeps the draft and files nothing; it succeeds once the bucket is back',
  async (_what, troubles) => {
    const { visit, phone, memberId, submit } = await fillForm();
    const before = [keys(), await files()];
    bucket.trouble('PUT', ...troubles);
    const no = await submit();
    expect([no.status, no.body.code, no.headers['retry-after']]).toEqual([503, 'files_away', '5']);
    expect(no.body.title).toMatch(/^[A-Z].*\.$/);
    expect([keys(), await files()]).toEqual(before);
    expect(await rows()).toEqual([{ state: 'draft', objectKey: null }]);
    expect((await phone.read(memberId)).body.answers).toMatchObject({ reason: ['Sore throat'] });
    const { body: open } = await testApp.call(queue.listQueue, { query: {} }, { as: office });
    expect(open.find(({ id }) => id === visit.id)?.forms[0]).toMatchObject({ complete: false, started: 1 });

    expect((await submit()).status).toBe(200);
    expect(keys()).toHaveLength(2);
  },
);

test.each<S3Fault>([
  { status: 500, code: 'InternalError' },
  { status: 503, code: 'SlowDown' },
  'cut halfway',
  'cut after',
])('after %j and a recovery of the bucket, submitting files the form once without an error', async (trouble) => {
  const { submit } = await fillForm();
  bucket.trouble('PUT', trouble);
  expect((await submit()).status).toBe(200);
  expect((await rows()).map(({ state }) => state)).toEqual(['submitted']);
  expect(keys()).toHaveLength(2);
});

test('submitting says so if a photo cannot be stored, or cannot be read for the PDF, and leaves nothing behind', async () => {
  const { phone, submit } = await fillForm();
  const before = [keys(), await files()];
  bucket.trouble('PUT', denied);
  expect(await phone.upload(await photo())).toMatchObject({ status: 503, body: { code: 'files_away' } });
  bucket.trouble('GET', denied);
  expect(await submit()).toMatchObject({ status: 503, body: { code: 'files_away' } });
  expect([keys(), await files()]).toEqual(before);
  expect(await rows()).toEqual([{ state: 'draft', objectKey: null }]);
});

test('a file that could not be deleted at once is deleted within the hour', async () => {
  const { submit } = await fillForm();
  bucket.trouble('PUT', 'cut after');
  bucket.trouble('HEAD', denied);
  bucket.trouble('DELETE', denied);
  expect((await submit()).status).toBe(503);
  expect([keys().length, (await files()).length]).toEqual([2, 2]);
  testApp.later(61);
  await sweepForms(testApp.services);
  expect([keys().length, (await files()).length]).toEqual([1, 1]);
  expect((await submit()).status).toBe(200);
});

test('a download resumes after a broken connection; an unreachable bucket is reported, and breaks a zip', async () => {
  await submittedForm(testApp, { office });
  const [form] = await list();
  const key = form?.objectKey ?? '';
  const download = () => testApp.call(formsDesk.downloadForm, { query: { key } }, { as: office });
  const zip = () =>
    testApp.app.inject({
      method: 'POST',
      url: '/api/forms/bulk-download',
      headers: asDesk(),
      payload: { forms: [key] },
    });
  const whole = (await zip()).rawPayload;
  bucket.trouble('GET', 'half an answer', 'half an answer');
  expect((await zip()).rawPayload.length).toBe(whole.length);

  for (const [method, ask] of [
    ['GET', download],
    ['HEAD', () => testApp.call(formsDesk.readFormUrl, { query: { key } }, { as: office })],
  ] as const) {
    bucket.trouble(method, denied);
    expect(await ask()).toMatchObject({ status: 503, body: { code: 'files_away' } });
  }
  bucket.trouble('GET', denied);
  await expect(zip()).rejects.toThrow();
  bucket.objects.delete(key);
  expect(await download()).toMatchObject({ status: 503, body: { code: 'files_away' } });
});

test('a key with the bucket’s name, a path or another office’s prefix opens nothing and never reaches the bucket', async () => {
  await requestForms(testApp, testApp.other);
  await submittedForm(testApp, { office: testApp.other });
  const [theirs = ''] = keys();
  await submittedForm(testApp, { office });
  const [form] = await list();
  const own = form?.objectKey ?? '';
  bucket.calls.length = 0;
  for (const query of [
    { key: theirs },
    { key: theirs, bucket: testApp.other.npi },
    { key: own, bucket: bucket.bucket },
    { key: `${bucket.bucket}/${own}` },
    { key: `../${bucket.bucket}/${own}` },
    { key: `${own}?versionId=1` },
  ])
    for (const answer of [
      await testApp.call(formsDesk.downloadForm, { query }, { as: office }),
      await testApp.call(formsDesk.readFormUrl, { query }, { as: office }),
    ])
      expect(answer, JSON.stringify(query)).toMatchObject({ status: 404, body: { code: 'form_not_found' } });
  expect(bucket.calls).toEqual([]);
});

function unzip(zip: Buffer): Promise<Entry[]> {
  return new Promise((resolve, reject) =>
    fromBuffer(zip, { lazyEntries: false, validateEntrySizes: true }, (error, file) => {
      if (error) return reject(error);
      const entries: Entry[] = [];
      file.on('entry', (entry: Entry) => void entries.push(entry));
      file.on('error', reject);
      file.on('end', () => resolve(entries));
    }),
  );
}
