import { randomBytes } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test, vi } from 'vitest';
import { openVisitorPace } from './pace-requests.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
const heapMb = () => {
  collectGarbage();
  return process.memoryUsage().heapUsed / 1e6;
};
const open = () => openVisitorPace({ sessionSecret: 'a secret', now: () => new Date() });
const addressOf = (n: number) => `198.51.${n >> 8}.${n & 255}`;

test('made-up cookies take no memory, however long they are', async () => {
  const pace = open();
  const before = heapMb();
  for (let n = 0; n < 3_000; n++) await pace.wait(addressOf(n), randomBytes(11_000).toString('base64url'));
  // They have 44 MB together.
  expect(heapMb() - before).toBeLessThan(5);
  await pace.wait(addressOf(0), 'still open');
});

test('the networks of one /48 have a pace of their own, 16 times as wide, and IPv4 networks have none', async () => {
  const pace = open();
  // All requests in one moment: a busy machine would take seconds for them, and the pace would allow more.
  const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now());
  let refusedOfSite = 0;
  let refusedOfOthers = 0;
  // 16 times 60 at once, and 16 times 60 a second for five seconds.
  for (let n = 0; n < 6_500; n++)
    void pace.wait(`2001:db8:1:${(n % 600).toString(16)}::1`, undefined).catch(() => (refusedOfSite += 1));
  for (let n = 0; n < 6_500; n++) void pace.wait(addressOf(n), undefined).catch(() => (refusedOfOthers += 1));
  await new Promise((next) => setImmediate(next));
  clock.mockRestore();
  expect(refusedOfSite).toBeGreaterThan(300);
  expect(refusedOfOthers).toBe(0);
});
