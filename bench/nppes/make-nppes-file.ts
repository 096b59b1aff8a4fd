/**
 * node bench/nppes/make-nppes-file.ts --rows N [--seed N] [--individuals SHARE] [--deactivated SHARE] FILE: a valid NPPES file of any size.
 */
import { parseArgs } from 'node:util';
import { writeNppesFile } from './nppes-file.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rows: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
    individuals: { type: 'string', default: '0.75' },
    deactivated: { type: 'string', default: '0.02' },
  },
});
const [path] = positionals;
if (!path) throw new Error('Which file shall be written?');
await writeNppesFile(path, {
  rows: Number(values.rows),
  seed: Number(values.seed),
  individuals: Number(values.individuals),
  deactivated: Number(values.deactivated),
});
