import { defineConfig } from '@playwright/test';
import { headlessShell } from './e2e/helpers/browsers.ts';
import { serverOfWorker, useServerOfWorker, workers } from './e2e/helpers/worker-servers.ts';

const { baseURL } = useServerOfWorker(Number(process.env.TEST_PARALLEL_INDEX ?? 0));

export default defineConfig({
  testDir: 'e2e/journeys',
  testMatch: '**/*.spec.ts',
  outputDir: process.env.E2E_OUTPUT ?? 'test-results/e2e',
  globalSetup: './e2e/helpers/staff-signs-in.ts',
  workers,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  use: {
    baseURL,
    viewport: { width: 1366, height: 768 },
    locale: 'en-US',
    timezoneId: 'America/New_York',
    // A trace costs a fifth of the time: E2E_TRACE=1 records one for each failed journey.
    trace: process.env.E2E_TRACE ? 'retain-on-failure' : 'off',
    screenshot: 'only-on-failure',
    launchOptions: headlessShell,
  },
  webServer: process.env.E2E_URL
    ? undefined
    : Array.from({ length: workers }, (_, worker) => {
        const server = serverOfWorker(worker);
        return {
          command: `"${process.execPath}" script/build.ts && exec "${process.execPath}" dist/server/main.js`,
          url: `${server.baseURL}/readyz`,
          timeout: 180_000,
          gracefulShutdown: { signal: 'SIGTERM' as const, timeout: 10_000 },
          env: { PORT: server.port, DATA_DIR: server.dataDir, PUBLIC_URL: server.baseURL, DEMO: '1' },
        };
      }),
});
