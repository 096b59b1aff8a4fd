/** Prints every text without a Spanish translation, and every catalog older than the code; then exits with 1. */
import { execFileSync } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';

const files = globSync('web/**/locales/*.po').sort();

const before = files.map((file) => readFileSync(file, 'utf8'));
execFileSync('node_modules/.bin/lingui', ['extract', '--clean'], { stdio: 'ignore' });
const stale = files.filter((file, i) => readFileSync(file, 'utf8') !== before[i]);
const missing = files
  .filter((file) => file.endsWith('/es.po'))
  .flatMap((file) => missingIn(readFileSync(file, 'utf8')).map((text) => `${file}: ${text}`));
files.forEach((file, i) => writeFileSync(file, before[i] ?? ''));

for (const file of stale) process.stdout.write(`stale, run npm run words: ${file}\n`);
for (const text of missing) process.stdout.write(`no Spanish: ${text}\n`);
process.exitCode = stale.length + missing.length > 0 ? 1 : 0;

/** The msgids of entries whose msgstr is empty. */
function missingIn(po: string): string[] {
  return po
    .split(/\n\n+/)
    .slice(1)
    .filter((entry) => textOf(entry, 'msgid') !== '' && textOf(entry, 'msgstr') === '')
    .map((entry) => textOf(entry, 'msgid'));
}

function textOf(entry: string, field: 'msgid' | 'msgstr'): string {
  const lines = new RegExp(`^${field} ((?:".*"\\n?)+)`, 'm').exec(`${entry}\n`)?.[1] ?? '';
  return lines.replace(/"\n"|^"|"\n?$/g, '');
}
