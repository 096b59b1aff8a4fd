/** Builds dist/ if it is older than its sources. One process at a time, the others wait. */
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { lockFile } from '#server/kit/file-lock.ts';
import { runQuietly } from './run-quietly.ts';

const stamp = 'dist/.built-from';
const sources = [
  '{questionnaire,contract,server,web,db}/**/*.*',
  '*.config.ts',
  'script/phone-*.ts',
  'tsconfig*.json',
  'package.json',
  'package-lock.json',
];
const wanted = hash(globSync(sources, { exclude: (path) => /\.test\.tsx?$/.test(String(path)) }).sort());

if (!isStamped()) {
  mkdirSync('.cache', { recursive: true });
  const unlock = await lockFile('.cache/build.lock', Date.now() + 600_000);
  if (!isStamped()) {
    rmSync(stamp, { force: true });
    if (!runQuietly('Building', process.execPath, ['--run', 'build'])) process.exit(1);
    writeFileSync(stamp, wanted);
  }
  unlock();
}

function isStamped(): boolean {
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted;
}

function hash(files: string[]): string {
  const sum = createHash('sha256');
  for (const file of files) sum.update(file).update('\0').update(readFileSync(file)).update('\0');
  return sum.digest('hex');
}
