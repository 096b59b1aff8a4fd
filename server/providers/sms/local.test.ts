import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '#testing/app/test-app.ts';
import { postTo, textsTakenByCarrier } from '#testing/fixtures/texts.ts';
import { sendDueReports } from './local-reports.ts';
import { refusedFrom, refusedTo } from './local.ts';
import { SmsRefused } from './port.ts';

let t: TestApp;
beforeAll(async () => void (t = await openTestApp()));
afterAll(() => t.close());

const from = '+12125550150';
const to = '+16465550111';
const text = { from, to, body: 'Come in', reference: 'ours' };

test('sending twice makes two texts: the local carrier is as little idempotent as a real one', async () => {
  const [one, two] = await Promise.all([1, 2].map(() => t.services.providers.sms.send(text)));
  expect(one?.providerId).not.toBe(two?.providerId);
  expect(await textsTakenByCarrier(t, to)).toHaveLength(2);
});

test.each(Object.entries(refusedTo))(
  'the local carrier refuses a text to %s as %s and stores nothing',
  async (number, errorClass) => {
    await expect(t.services.providers.sms.send({ ...text, to: number })).rejects.toMatchObject({
      name: 'SmsRefused',
      errorClass,
    });
    expect(await textsTakenByCarrier(t, number)).toEqual([]);
  },
);

test.each(Object.entries(refusedFrom))('the local carrier refuses a text from %s as %s', async (number, errorClass) => {
  const refusal = await t.services.providers.sms.send({ ...text, from: number }).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(SmsRefused);
  expect(refusal).toMatchObject({ errorClass, tryAgain: errorClass === 'rate' });
});

test('find looks a text up by our reference; null for one that was never accepted', async () => {
  const after = t.now();
  const number = '+16465550112';
  const { providerId } = await t.services.providers.sms.send({ ...text, to: number, reference: 'mine' });
  const { sms } = t.services.providers;
  const sent = { from, to: number, body: text.body, after, ageMs: 0 };
  const noOthers = async () => ({ providerIds: new Set<string>(), undecidedTwin: false });
  expect(await sms.find({ ...sent, reference: 'mine' }, noOthers)).toEqual({
    providerId,
    state: 'sent',
    errorClass: null,
  });
  expect(await sms.find({ ...sent, reference: 'other' }, noOthers)).toBeNull();
});

test('the local carrier can accept a text and then fail, or never answer', async () => {
  await expect(t.services.providers.sms.send({ ...text, to: '+15005550500' })).rejects.toThrow('500');
  await expect(t.services.providers.sms.send({ ...text, to: '+15005550504' }, AbortSignal.timeout(30))).rejects.toThrow(
    'in time',
  );
  expect(await textsTakenByCarrier(t, '+15005550500')).toHaveLength(1);
  expect(await textsTakenByCarrier(t, '+15005550504')).toHaveLength(1);
});

test('an unacknowledged report is repeated; two processes never send the same one at once', async () => {
  const number = '+16465550113';
  await t.services.providers.sms.send({ ...text, to: number });
  t.later(0.01);
  let heard = 0;
  await sendDueReports(t.services, async () => 503);
  expect(await textsTakenByCarrier(t, number)).toMatchObject([{ state: 'accepted' }]);
  t.later(0.1);
  const slow = async () => {
    heard++;
    await pause(20);
    return 200;
  };
  await Promise.all([1, 2, 3].map(() => sendDueReports(t.services, slow)));
  const told = await t.owner.selectFrom('dev.outbox').selectAll().where('state', '=', 'delivered').execute();
  expect(heard).toBe(told.length);
});

test('a report about a text that is not in the ledger is acknowledged and changes nothing', async () => {
  const number = '+16465550114';
  await t.services.providers.sms.send({ ...text, to: number, reference: 'sign-in code' });
  for (let i = 0; i < 3; i++) {
    t.later(0.1);
    await sendDueReports(t.services, postTo(t));
  }
  expect(await textsTakenByCarrier(t, number)).toMatchObject([{ state: 'delivered', reportAt: null }]);
});
