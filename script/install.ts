/** Installs from the lockfile if node_modules differs from it. One process at a time, the others wait. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { lockFile } from '#server/kit/file-lock.ts';
import { runQuietly } from './run-quietly.ts';

interface Lock {
  packages: Record<string, { integrity?: string; optional?: boolean }>;
}

const stamp = 'node_modules/.installed-from';
const wanted = createHash('sha256')
  .update(readFileSync('package-lock.json'))
  .update(`${process.platform}-${process.arch}`)
  .digest('hex');

if (!isStamped()) {
  mkdirSync('.cache', { recursive: true });
  const unlock = await lockFile('.cache/install.lock', Date.now() + 600_000);
  if (!isStamped()) {
    const npmCi = ['ci', '--no-audit', '--no-fund', '--prefer-offline'];
    if (!isWhatNpmInstalled() && !runQuietly('Installing', 'npm', npmCi)) process.exit(1);
    writeFileSync(stamp, wanted);
  }
  unlock();
}

function isStamped(): boolean {
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted;
}

/** After a manual npm install, npm's own record of the installation agrees with the lockfile: nothing to do. */
function isWhatNpmInstalled(): boolean {
  if (!existsSync('node_modules/.package-lock.json')) return false;
  const { packages: asked } = readLock('package-lock.json');
  const { packages: got } = readLock('node_modules/.package-lock.json');
  const isThere = ([path, { integrity, optional }]: [string, Lock['packages'][string]]) =>
    path === '' || got[path]?.integrity === integrity || (optional === true && !got[path]);
  return Object.entries(asked).every(isThere) && Object.keys(got).every((path) => path in asked);
}

function readLock(file: string): Lock {
  return JSON.parse(readFileSync(file, 'utf8')) as Lock;
}
