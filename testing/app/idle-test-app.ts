import { afterAll, vi } from 'vitest';
import { openHouse } from './test-app.ts';

/**
 * For tests about signing in: a house whose clock and the machine's stand still together until `wait` moves both on by seconds (limits
 * go by the machine's). Every browser has an address of its own. It closes when the file's tests are over.
 */
export async function openStillHouse(env: NodeJS.ProcessEnv = {}) {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-03-02T15:00:00.000Z') });
  const house = await openHouse({ env: { TRUST_PROXY: '127.0.0.1', ...env } });
  afterAll(async () => {
    await house.close();
    vi.useRealTimers();
  });
  const wait = (seconds: number): void => {
    house.later(seconds / 60);
    vi.setSystemTime(house.now());
  };
  return { house, wait };
}
