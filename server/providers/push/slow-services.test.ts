import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openSlowServices } from './slow-services.ts';

const open = () => openSlowServices({ answerWithinMs: 40, trialWithinMs: 20, restMs: 150 });
const hanging = 'https://hangs.push.test/subscription';
const quick = 'https://quick.push.test/subscription';
const never = (deadline: AbortSignal) =>
  new Promise<never>((_, fail) => deadline.addEventListener('abort', () => fail(new Error('aborted'))));
const answers = () => Promise.resolve(201);
const away = (sent: Promise<unknown>) => expect(sent).rejects.toMatchObject({ why: 'away' });

test('a service that did not answer three times rests, and another is sent to', async () => {
  const services = open();
  await Promise.all([1, 2, 3].map(() => away(services.send(hanging, never))));
  let sent = 0;
  const count = async () => (sent += 1);
  await expect(services.send(hanging, count)).rejects.toMatchObject({ why: 'away', retryAfterSeconds: 1 });
  expect(sent).toBe(0);
  expect(await services.send(quick, answers)).toBe(201);
});

test('after its rest one push tries the service, and its answer lets the others through', async () => {
  const services = open();
  await Promise.all([1, 2, 3].map(() => away(services.send(hanging, never))));
  await sleep(170);
  const trial = services.send(hanging, () => sleep(5, 201));
  await away(services.send(hanging, answers));
  expect(await trial).toBe(201);
  expect(await services.send(hanging, answers)).toBe(201);
});

test('a service that still hangs after its rest holds up one push, and rests again', async () => {
  const services = open();
  await Promise.all([1, 2, 3].map(() => away(services.send(hanging, never))));
  await sleep(170);
  await Promise.all([1, 2, 3].map(() => away(services.send(hanging, never))));
  await expect(services.send(hanging, answers)).rejects.toMatchObject({ why: 'away' });
});

test('a refused connection, or two late answers and a timely one, start no rest', async () => {
  const services = open();
  for (let n = 0; n < 4; n++) await away(services.send(hanging, () => Promise.reject(new Error('ECONNREFUSED'))));
  await Promise.all([1, 2].map(() => away(services.send(hanging, never))));
  expect(await services.send(hanging, answers)).toBe(201);
  await away(services.send(hanging, never));
  expect(await services.send(hanging, answers)).toBe(201);
});
