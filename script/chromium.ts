import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { chromium } from '@playwright/test';
import { runQuietly } from './run-quietly.ts';

const carried = '@sparticuz/chromium@153.0.0';
const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const shellNames = ['chromium-headless-shell', 'chrome-headless-shell'];
const macApps = ['Google Chrome', 'Chromium'].map((app) => `/Applications/${app}.app/Contents/MacOS/${app}`);

const withItsLibraries = `#!/bin/sh
here=$(dirname -- "$0")
export LD_LIBRARY_PATH="$here/al2023/lib" FONTCONFIG_PATH="$here/fonts"
exec "$here/chromium" "$@"
`;

/** The path of a working browser: CHROMIUM_PATH, the system's, Debian's package if root, else the one in npm. */
export async function findChromium(): Promise<string> {
  const given = process.env.CHROMIUM_PATH;
  if (given) return given;
  const found = (await systemChromium()) ?? (await debianChromium()) ?? (await carriedChromium());
  if (!found) throw new Error('No Chromium could be found or fetched: install one, or set CHROMIUM_PATH.');
  return found;
}

/** The path of Chromium's headless shell: HEADLESS_SHELL_PATH or the system's. It has no PDF viewer and grants no notifications. */
export async function findHeadlessShell(): Promise<string | undefined> {
  return process.env.HEADLESS_SHELL_PATH ?? firstThatStarts(onPath(shellNames));
}

const systemChromium = () => firstThatStarts([...onPath(names), ...macApps]);

function onPath(programs: string[]): string[] {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return programs.flatMap((name) => folders.map((folder) => join(folder, name)));
}

async function firstThatStarts(paths: string[]): Promise<string | undefined> {
  for (const path of paths) if (existsSync(path) && (await starts(path))) return path;
  return undefined;
}

async function debianChromium(): Promise<string | undefined> {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return undefined;
  process.stderr.write('Installing Debian’s chromium ...\n');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  spawnSync('apt-get', ['update', '-qq'], { env });
  spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium', 'chromium-headless-shell'], {
    env,
  });
  return systemChromium();
}

/** A headless shell for servers, with its libraries; unpacked once into .cache. */
async function carriedChromium(): Promise<string | undefined> {
  const home = resolve('.cache', carried.replaceAll(/[@/]/g, '-').slice(1));
  const start = join(home, 'start');
  if (existsSync(start)) return start;
  rmSync(home, { recursive: true, force: true });
  mkdirSync(home, { recursive: true });
  const options = ['--prefix', home, '--no-save', '--no-audit', '--no-fund'];
  if (!runQuietly('Fetching a Chromium from npm', 'npm', ['install', ...options, carried])) return undefined;
  const unpack = `import chromium from '@sparticuz/chromium'; await chromium.executablePath();`;
  // The package unpacks into TMPDIR, and its libraries only if it detects Amazon Linux.
  const env = { ...process.env, TMPDIR: home, AWS_LAMBDA_JS_RUNTIME: 'nodejs24.x' };
  execFileSync(process.execPath, ['--input-type=module', '-e', unpack], { cwd: home, env, stdio: 'pipe' });
  writeFileSync(start, withItsLibraries, { mode: 0o755 });
  if (await starts(start)) return start;
  rmSync(start);
  return undefined;
}

/** Some distributions ship a stub of that name, so only one that renders a page counts. */
async function starts(executablePath: string): Promise<boolean> {
  try {
    const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'], timeout: 30_000 });
    const page = await browser.newPage();
    await page.setContent('<p>here</p>');
    const shows = (await page.textContent('p')) === 'here';
    await browser.close();
    return shows;
  } catch {
    return false;
  }
}
