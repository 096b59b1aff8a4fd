import { defineConfig } from '@playwright/test';
import config from './playwright.config.ts';

/** Pictures of every screen, to look at: `script/pictures [name …]`. It tests nothing, so `script/test` leaves it out. */
export default defineConfig(config, {
  testDir: 'e2e/pictures',
  testMatch: '**/*.pictures.ts',
  timeout: 180_000,
  globalTeardown: './e2e/pictures/contact-sheets.ts',
  use: { screenshot: 'off', locale: 'en-US', actionTimeout: 15_000 },
});
