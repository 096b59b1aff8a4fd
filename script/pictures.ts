/** Takes the pictures of e2e/pictures whose name matches the pattern; without one, all. */
import { spawnSync } from 'node:child_process';
import { findChromium, findHeadlessShell } from './chromium.ts';

const [pattern = ''] = process.argv.slice(2);
const whole = await findChromium();
const { status } = spawnSync(
  'node_modules/.bin/playwright',
  ['test', '--config', 'playwright.pictures.config.ts', '--reporter', 'list', ...(pattern ? ['-g', pattern] : [])],
  {
    stdio: 'inherit',
    env: { ...process.env, CHROMIUM_PATH: whole, HEADLESS_SHELL_PATH: (await findHeadlessShell()) ?? whole },
  },
);
process.exitCode = status ?? 1;
