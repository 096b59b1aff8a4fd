/** Prints every dependency, development tools too, whose license nobody has accepted; exits 1 then. */
import { licenses } from './licenses.ts';

const { problems } = licenses();
for (const problem of problems) process.stdout.write(`${problem}\n`);
process.exitCode = problems.length > 0 ? 1 : 0;
