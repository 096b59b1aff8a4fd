import { afterAll, vi } from 'vitest';
import { openTestApp } from './test-app.ts';

/**
 * For tests about signing in: an app whose clock, like the machine's, stands still until `wait` advances both by seconds (rate limits use
 * the machine's). Every browser has its own address. The app closes when the file's tests are done.
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
