import { afterAll, expect, test } from 'vitest';
import { support } from '#contract/index.ts';
import { openTestApp } from '#testing/app/test-app.ts';

const testApp = await openTestApp({ env: { OPERATOR_EMAIL: 'operator@anteroom.test', SUPPORT_PHONE: '+12125550199' } });
afterAll(() => testApp.close());

const mails = () =>
  testApp.services.db.selectFrom('dev.outbox').selectAll().where('recipient', '=', 'operator@anteroom.test').execute();
const write = (body: string, replyTo = 'dana@maple.test') =>
  testApp.call(support.writeToSupport, { body: { replyTo, body } });

test('a support message reaches the operator with its sender and practice', async () => {
  expect((await testApp.call(support.readSupport)).body).toEqual({ canWrite: true, phone: '+12125550199' });
  expect((await write('The poster does not print.')).body).toEqual({ sent: true });
  const [mail] = await mails();
  for (const part of ['The poster does not print.', 'Dana Whitlock', testApp.maple.npi, 'dana@maple.test'])
    expect(mail?.body).toContain(part);
  expect((await testApp.auditEntries()).map(({ action }) => action)).toContain('support.write');
});

test.each([
  ['  ', 'dana@maple.test', 'empty_message'],
  ['Hello', 'dana', 'invalid_input'],
  ['Hello', 'dana@maple.test\r\nBcc: all@maple.test', 'invalid_input'],
])('the support message %o from %o is refused', async (body, replyTo, code) => {
  const before = (await mails()).length;
  expect((await write(body, replyTo)).body.code).toBe(code);
  expect(await mails()).toHaveLength(before);
});

test('a support message that cannot be sent is refused with an error', async () => {
  const { env } = testApp.services;
  for (const operatorEmail of [undefined, 'bounce@anteroom.test']) {
    env.operatorEmail = operatorEmail;
    const { status, body } = await write('Hello');
    expect([status, body.code]).toEqual([503, 'support_away']);
  }
  env.operatorEmail = undefined;
  expect((await testApp.call(support.readSupport)).body.canWrite).toBe(false);
});
