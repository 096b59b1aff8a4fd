import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { demoRequest } from '#contract/index.ts';
import { openTestApp } from '#testing/app/test-app.ts';
import { mailRequests } from './jobs.ts';
import { perNetwork } from './requests.ts';

const testApp = await openTestApp({ env: { OPERATOR_EMAIL: 'operator@anteroom.test', TRUST_PROXY: '127.0.0.1' } });
afterAll(() => testApp.close());
const { db } = testApp.services;
let networks = 0;
let from = '';
beforeEach(async () => {
  from = `198.51.100.${++networks}`;
  await db.deleteFrom('demoRequest').execute();
  await db.deleteFrom('dev.outbox').execute();
});

const noor = { name: 'Noor Haddad', practice: 'Elm Street Family Care', email: 'Noor@elm.test' };
const ask = (body: object, address = from) =>
  testApp.call(
    demoRequest.requestDemo,
    { body: { ...noor, ...body } },
    { as: null, headers: { 'x-forwarded-for': address } },
  );
const mails = () => db.selectFrom('dev.outbox').select(['recipient', 'body']).orderBy('id').execute();

test('a demo request is stored and emailed to the operator once', async () => {
  const { status, body } = await ask({ phone: '(202) 555-0142', wish: 'The queue, please.' });
  expect([status, body.received]).toEqual([200, true]);
  await mailRequests(testApp.services);
  await mailRequests(testApp.services);
  const [mail, ...more] = await mails();
  expect(more).toEqual([]);
  expect(mail?.recipient).toBe('operator@anteroom.test');
  for (const detail of ['Elm Street Family Care', 'noor@elm.test', '+12025550142', 'The queue, please.'])
    expect(mail?.body).toContain(detail);
});

test('two concurrent submits of a demo request are one request', async () => {
  await Promise.all([ask({}), ask({}), ask({})]);
  expect(await db.selectFrom('demoRequest').selectAll().execute()).toHaveLength(1);
});

test('two processes email a demo request once', async () => {
  await ask({});
  await Promise.all([mailRequests(testApp.services), mailRequests(testApp.services)]);
  expect(await mails()).toHaveLength(1);
});

test('a demo request whose email is refused is sent later', async () => {
  await ask({});
  const refusing = { ...testApp.services, env: { ...testApp.env, operatorEmail: 'grey@anteroom.test' } };
  await mailRequests(refusing);
  await mailRequests(testApp.services);
  expect(await mails()).toEqual([]);
  testApp.later(3);
  await mailRequests(testApp.services);
  expect(await mails()).toHaveLength(1);
});

test("without an operator's email a demo request is only stored", async () => {
  await ask({});
  await mailRequests({ ...testApp.services, env: { ...testApp.env, operatorEmail: undefined } });
  expect(await mails()).toEqual([]);
  expect(await db.selectFrom('demoRequest').select('mailedAt').execute()).toEqual([{ mailedAt: null }]);
});

test('a network can send five demo requests an hour, and another network is not affected', async () => {
  for (let i = 0; i < perNetwork.points; i++) expect((await ask({ practice: `Practice ${i}` })).status).toBe(200);
  const refused = await ask({ practice: 'One more' });
  expect([refused.status, refused.body.code]).toEqual([429, 'too_many_tries']);
  expect((await ask({ practice: 'Another' }, '203.0.113.9')).status).toBe(200);
});

describe('invalid demo requests are not saved', () => {
  test.each([
    [{ email: 'noor' }, 'invalid_input'],
    [{ email: 'noor haddad@elm.test' }, 'invalid_input'],
    [{ name: '  ' }, 'invalid_input'],
    [{ practice: '' }, 'invalid_input'],
    [{ phone: '12' }, 'invalid_phone'],
  ])('the demo request %o is refused', async (body, code) => {
    const answer = await ask(body);
    expect([answer.status, answer.body.code]).toEqual([400, code]);
    expect(await db.selectFrom('demoRequest').selectAll().execute()).toEqual([]);
  });
});
