import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '#testing/app/test-app.ts';
import { postTo, takenFor } from '#testing/fixtures/texts.ts';
import { reportDue } from './local-reports.ts';
import { refusedFrom, refusedTo } from './local.ts';
import { SmsRefused } from './port.ts';

let t: TestApp;
beforeAll(async () => void (t = await openTestApp()));
afterAll(() => t.close());

const from = '+12125550150';
const to = '+16465550111';
const text = { from, to, body: 'Come in', reference: 'ours' };

test('two sends are two texts: the local carrier is no more idempotent than a real one', async () => {
  const [one, two] = await Promise.all([1, 2].map(() => t.services.providers.sms.send(text)));
  expect(one?.providerId).not.toBe(two?.providerId);
  expect(await takenFor(t, to)).toHaveLength(2);
});

test.each(Object.entries(refusedTo))('to %s: refused as %s, and nothing was taken', async (number, errorClass) => {
  await expect(t.services.providers.sms.send({ ...text, to: number })).rejects.toMatchObject({
    name: 'SmsRefused',
    errorClass,
  });
  expect(await takenFor(t, number)).toEqual([]);
});

test.each(Object.entries(refusedFrom))('from %s: refused as %s', async (number, errorClass) => {
  const refusal = await t.services.providers.sms.send({ ...text, from: number }).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(SmsRefused);
  expect(refusal).toMatchObject({ errorClass, tryAgain: errorClass === 'rate' });
});

test('it looks a text up by our reference, and knows what it never took', async () => {
  const after = t.now();
  const number = '+16465550112';
  const { providerId } = await t.services.providers.sms.send({ ...text, to: number, reference: 'mine' });
  const { sms } = t.services.providers;
  expect(await sms.find({ from, to: number, reference: 'mine', after })).toEqual({
    providerId,
    state: 'sent',
    errorClass: null,
  });
  expect(await sms.find({ from, to: number, reference: 'other', after })).toBeNull();
});

test('it accepts and then answers an error, or not at all until the caller gives up', async () => {
  await expect(t.services.providers.sms.send({ ...text, to: '+15005550500' })).rejects.toThrow('500');
  await expect(t.services.providers.sms.send({ ...text, to: '+15005550504' }, AbortSignal.timeout(30))).rejects.toThrow(
    'in time',
  );
  expect(await takenFor(t, '+15005550500')).toHaveLength(1);
  expect(await takenFor(t, '+15005550504')).toHaveLength(1);
});

test('reports nobody heard are told again; two processes never tell the same one at once', async () => {
  const number = '+16465550113';
  await t.services.providers.sms.send({ ...text, to: number });
  t.later(0.01);
  let heard = 0;
  await reportDue(t.services, async () => 503);
  expect(await takenFor(t, number)).toMatchObject([{ state: 'accepted' }]);
  t.later(0.1);
  const slow = async () => {
    heard++;
    await pause(20);
    return 200;
  };
  await Promise.all([1, 2, 3].map(() => reportDue(t.services, slow)));
  const told = await t.owner.selectFrom('dev.outbox').selectAll().where('state', '=', 'delivered').execute();
  expect(heard).toBe(told.length);
});

test('a report about something that is not in the ledger is heard and changes nothing', async () => {
  const number = '+16465550114';
  await t.services.providers.sms.send({ ...text, to: number, reference: 'sign-in code' });
  for (let i = 0; i < 3; i++) {
    t.later(0.1);
    await reportDue(t.services, postTo(t));
  }
  expect(await takenFor(t, number)).toMatchObject([{ state: 'delivered', reportAt: null }]);
});
