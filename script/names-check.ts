/** Prints every name that the glossary forbids (docs/glossary.md, "Names that we do not use"); then exits with 1. */
import { globSync, readFileSync } from 'node:fs';
import { forbiddenNames } from './forbidden-names.ts';

const files = globSync('{bench,contract,db,e2e,questionnaire,script,server,testing,web}/**/*.{ts,tsx}').filter(
  (file) => file !== 'db/tables.ts',
);
const found = files
  .sort()
  .flatMap((file) =>
    forbiddenNames(readFileSync(file, 'utf8')).map(({ line, name, reason }) => `${file}:${line}: ${name}: ${reason}`),
  );
for (const message of found) process.stdout.write(`${message}\n`);
process.exitCode = found.length > 0 ? 1 : 0;
