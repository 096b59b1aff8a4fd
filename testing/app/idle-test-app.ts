import { afterAll, vi } from 'vitest';
import { openTestApp } from './test-app.ts';

/**
 * For tests about signing in: an app whose clock, like the machine's, stands still until `wait` moves both on by seconds (limits
 * go by the machine's). Every browser has an address of its own. It closes when the file's tests are over.
 */
export async function openIdleTestApp(env: NodeJS.ProcessEnv = {}) {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-03-02T15:00:00.000Z') });
  const testApp = await openTestApp({ env: { TRUST_PROXY: '127.0.0.1', ...env } });
  afterAll(async () => {
    await testApp.close();
    vi.useRealTimers();
  });
  const wait = (seconds: number): void => {
    testApp.later(seconds / 60);
    vi.setSystemTime(testApp.now());
  };
  return { testApp, wait };
}
