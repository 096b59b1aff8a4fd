import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { formsDesk } from '#contract/index.ts';
import { requestForms, submittedForm } from '#testing/fixtures/forms.ts';
import { openTestApp, type TestApp, type TestOffice } from '#testing/app/test-app.ts';
import { resumeOperations } from '#server/kit/provider-operations/operations.ts';
import { readFhirServer } from '#server/providers/fhir/settings.ts';
import { formOperations } from './send-to-server.ts';

/** A FHIR server that keeps the responses of its transactions, by identifier. */
const kept: string[] = [];
const requests: string[] = [];
let behavior: 'ok' | 'refuse' | 'lose the answer' | 'away' | 'commit late' | 'answer with any' = 'ok';
/** Posts that the server has not committed yet. */
let late: (() => void)[] = [];
let fhir: Server;
let testApp: TestApp;
let office: TestOffice;

beforeAll(async () => {
  fhir = createServer((req, res) => {
    let text = '';
    req.on('data', (part: Buffer) => (text += part.toString()));
    req.on('end', () => {
      requests.push(`${req.method} ${req.url?.split('?')[0]} ${req.headers.authorization}`);
      if (behavior === 'away') return void res.destroy();
      res.setHeader('content-type', 'application/fhir+json');
      if (req.method === 'GET') {
        const identifier = new URL(req.url ?? '', 'http://x').searchParams.get('identifier') ?? '';
        const entry = kept
          .filter((one) => one === identifier || behavior === 'answer with any')
          .map((one) => {
            const [system, value] = one.split('|');
            return { resource: { resourceType: 'QuestionnaireResponse', identifier: { system, value } } };
          });
        return void res.end(JSON.stringify({ resourceType: 'Bundle', type: 'searchset', entry }));
      }
      if (behavior === 'refuse') return void res.writeHead(422).end('{"resourceType":"OperationOutcome"}');
      const { entry } = JSON.parse(text) as {
        entry: { resource: { resourceType: string; identifier: { system: string; value: string } } }[];
      };
      const response = entry.find(({ resource }) => resource.resourceType === 'QuestionnaireResponse')?.resource
        .identifier;
      const commit = () => void kept.push(`${response?.system}|${response?.value}`);
      if (behavior === 'commit late') {
        late.push(commit);
        return void res.destroy();
      }
      commit();
      if (behavior === 'lose the answer') return void res.destroy();
      return void res.end(JSON.stringify({ resourceType: 'Bundle', type: 'transaction-response' }));
    });
  });
  await new Promise<void>((resolve) => fhir.listen(0, '127.0.0.1', resolve));
  const { port } = fhir.address() as AddressInfo;
  testApp = await openTestApp({
    env: { LOG_LEVEL: 'fatal', FHIR_SERVER_URL: `http://127.0.0.1:${port}/{npi}/fhir/`, FHIR_SERVER_TOKEN: 'secret' },
  });
});
afterAll(async () => {
  await testApp.close();
  fhir.close();
});
beforeEach(async () => {
  testApp.at('2026-03-02T15:00:00.000Z');
  office = await testApp.office();
  await requestForms(testApp, office);
  kept.length = 0;
  requests.length = 0;
  behavior = 'ok';
  late = [];
});

const newestKey = async (as = office) =>
  (await testApp.call(formsDesk.listFormPaths, { query: {} }, { as })).body.forms[0]?.objectKey ?? '';
const send = (key: string, as = office) => testApp.call(formsDesk.sendForm, { body: { key } }, { as });
const state = async (key: string) =>
  (await testApp.call(formsDesk.readFormDelivery, { query: { key } }, { as: office })).body;
const filed = async () => {
  await submittedForm(testApp, { office });
  return newestKey();
};
const posts = () => requests.filter((one) => one.startsWith('POST'));

test('a form is posted once to the practice’s own address, however often and at once it is sent', async () => {
  const key = await filed();
  expect(await state(key)).toEqual({ hasServer: true, state: 'not-sent', reason: null, at: null });
  const replies = await Promise.all([send(key), send(key), send(key)]);
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
  // One sends it; the others hear that it is on its way, or there.
  for (const { body } of replies) expect(['sending', 'sent']).toContain(body.state);
  expect((await send(key)).body.state).toBe('sent');
  expect(posts()).toEqual([`POST /${office.npi}/fhir Bearer secret`]);
  expect(await state(key)).toMatchObject({ state: 'sent', at: '2026-03-02T15:00:00.000Z' });
});

test('a form that the server refuses says why, and can be sent again', async () => {
  const key = await filed();
  behavior = 'refuse';
  expect((await send(key)).body).toMatchObject({ state: 'refused', reason: 'status 422' });
  behavior = 'away';
  expect((await send(key)).body).toMatchObject({ state: 'refused', reason: 'not reached' });
  behavior = 'ok';
  expect((await send(key)).body.state).toBe('sent');
  expect(kept).toHaveLength(1);
});

test('after a lost answer the job finds the form on the server and does not post it again', async () => {
  const key = await filed();
  behavior = 'lose the answer';
  expect((await send(key)).body.state).toBe('unknown');
  behavior = 'ok';
  testApp.later(5);
  await resumeOperations(testApp.services, formOperations);
  expect((await state(key)).state).toBe('sent');
  expect(posts()).toHaveLength(1);
  expect(kept).toHaveLength(1);
});

test('a server that commits after we stopped waiting gets no second post', async () => {
  const key = await filed();
  behavior = 'commit late';
  expect((await send(key)).body).toMatchObject({ state: 'unknown', reason: 'unclear' });
  // Pressed again, and the job: neither may post while the first post can still be at work.
  behavior = 'ok';
  expect((await send(key)).body.state).toBe('unknown');
  testApp.later(1);
  await resumeOperations(testApp.services, formOperations);
  expect([posts().length, (await state(key)).state]).toEqual([1, 'unknown']);
  for (const commit of late) commit();
  testApp.later(2);
  await resumeOperations(testApp.services, formOperations);
  expect((await state(key)).state).toBe('sent');
  expect([posts().length, kept.length]).toEqual([1, 1]);
});

test('another response in the answer to the search is not taken for this one', async () => {
  kept.push('https://elsewhere.example|1');
  const key = await filed();
  behavior = 'answer with any';
  expect((await send(key)).body.state).toBe('sent');
  expect(posts()).toHaveLength(1);
});

test('a practice that is not confirmed sends nothing: its NPI may be another’s', async () => {
  const key = await filed();
  await testApp.inOffice(office, (tx) =>
    tx.updateTable('office').set({ confirmedAt: null, confirmedBy: null }).where('id', '=', office.id).execute(),
  );
  expect((await state(key)).hasServer).toBe(false);
  expect((await send(key)).body).toMatchObject({ code: 'no_fhir_server' });
  expect(requests).toEqual([]);
});

test('another office’s form is not sent, and without a server nothing is', async () => {
  const key = await filed();
  expect((await send(key, testApp.other)).status).toBe(404);
  expect(requests).toEqual([]);
});

test.each([
  ['http://fhir.example.org/r4', undefined],
  ['https://user:secret@fhir.example.org', undefined],
  ['not an address', undefined],
  [undefined, 'token'],
])('the address %s with the token %s is refused at the start', (url, token) => {
  const env = { ...(url && { FHIR_SERVER_URL: url }), ...(token && { FHIR_SERVER_TOKEN: token }) };
  expect(() => readFhirServer(env)).toThrow(/FHIR_SERVER_/);
});
