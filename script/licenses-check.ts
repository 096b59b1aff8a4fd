/** Prints every dependency, including development tools, with a license nobody has accepted; then exits with 1. */
import { licenses } from './licenses.ts';

const { problems } = licenses();
for (const problem of problems) process.stdout.write(`${problem}\n`);
process.exitCode = problems.length > 0 ? 1 : 0;
