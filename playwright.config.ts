import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from '@playwright/test';
import { headlessShell } from './e2e/helpers/browsers.ts';

// Workers read this file too, so random values are chosen once and inherited.
process.env.E2E_PORT ??= String(20_000 + (process.pid % 20_000));
if (!process.env.E2E_DATA_DIR) {
  const folder = mkdtempSync(join(tmpdir(), 'anteroom-e2e-'));
  process.env.E2E_DATA_DIR = folder;
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
}
/** The URL of a running server; if unset, the built one is started on a fresh data folder. */
const running = process.env.E2E_URL;
const baseURL = running ?? `http://localhost:${process.env.E2E_PORT}`;
process.env.E2E_BASE_URL = baseURL;

export default defineConfig({
  testDir: 'e2e/journeys',
  testMatch: '**/*.spec.ts',
  outputDir: process.env.E2E_OUTPUT ?? 'test-results/e2e',
  globalSetup: './e2e/helpers/staff-signs-in.ts',
  workers: 1,
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
  webServer: running
    ? undefined
    : {
        command: `"${process.execPath}" script/build.ts && exec "${process.execPath}" dist/server/main.js`,
        url: `${baseURL}/readyz`,
        timeout: 180_000,
        gracefulShutdown: { signal: 'SIGTERM', timeout: 10_000 },
        env: {
          PORT: process.env.E2E_PORT,
          DATA_DIR: process.env.E2E_DATA_DIR,
          PUBLIC_URL: baseURL,
          DEMO: '1',
        },
      },
});
