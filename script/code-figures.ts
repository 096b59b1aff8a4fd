/**
 * Prints the figures of decision 0038 for the sources in a folder (by default this one): sizes of files and functions, casts, repetition.
 * For an older commit: `git archive COMMIT | tar x -C FOLDER`, then `node script/code-figures.ts FOLDER`.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, traverse, types } from '@babel/core';

const root = process.argv[2] ?? '.';
const folders = '{bench,contract,db,e2e,questionnaire,script,server,testing,web}';
const filesWith = (endings: string) =>
  globSync([`*.{${endings}}`, `${folders}/**/*.{${endings}}`], { cwd: root }).sort();

/** Neither tests, benchmarks, journeys nor generated files. */
const isProduct = (file: string) =>
  !/^(bench|e2e|testing)\//.test(file) && !/\.test\.|\.d\.ts$/.test(file) && file !== 'db/tables.ts';

interface Part {
  lines: number;
  where: string;
}

function percentile(parts: readonly Part[], percent: number): number {
  const sizes = parts.map(({ lines }) => lines).sort((a, b) => a - b);
  return sizes[Math.min(sizes.length - 1, Math.floor((percent / 100) * sizes.length))] ?? Number.NaN;
}

/** A line with the median, the 90th and 99th percentile and the longest. */
function sizesLine(what: string, parts: readonly Part[]): string {
  const [median, p90, p99] = [50, 90, 99].map((percent) => percentile(parts, percent));
  const longest = parts.toSorted((a, b) => b.lines - a.lines)[0];
  return `${what}: ${parts.length}; median ${median}, p90 ${p90}, p99 ${p99}; longest ${longest?.lines} (${longest?.where})`;
}

/** The functions of a file, and how many casts it has; `as const` and imports are none. */
function functionsAndCasts(file: string, source: string): { functions: Part[]; casts: number } {
  const ast = parseSync(source, {
    filename: file,
    configFile: false,
    babelrc: false,
    parserOpts: { plugins: file.endsWith('x') ? ['typescript', 'jsx'] : ['typescript'] },
  });
  if (!ast) throw new Error(`${file} could not be parsed`);
  const functions: Part[] = [];
  let casts = 0;
  traverse(ast, {
    Function({ node: { loc } }) {
      if (loc) functions.push({ lines: loc.end.line - loc.start.line + 1, where: `${file}:${loc.start.line}` });
    },
    TSAsExpression({ node: { typeAnnotation } }) {
      const isConst =
        types.isTSTypeReference(typeAnnotation) && types.isIdentifier(typeAnnotation.typeName, { name: 'const' });
      if (!isConst) casts++;
    },
  });
  return { functions, casts };
}

const runLines = 6;

/**
 * How many pairs of places share six lines or more, apart from indentation and blank lines. A longer run counts once. Runs that stand in more
 * than 200 places are what every file of a kind has, and are left out.
 */
function countRepetitions(files: readonly string[]): number {
  const linesOf = files.map((file) =>
    textOf(file)
      .split('\n')
      .flatMap((line) => line.trim() || []),
  );
  const places = new Map<string, [file: number, line: number][]>();
  linesOf.forEach((lines, file) => {
    for (let line = 0; line + runLines <= lines.length; line++) {
      const run = lines.slice(line, line + runLines).join('\n');
      const known = places.get(run);
      if (known) known.push([file, line]);
      else places.set(run, [[file, line]]);
    }
  });
  const lineBefore = (file: number, line: number) => linesOf[file]?.[line - 1];
  let pairs = 0;
  for (const found of places.values()) {
    if (found.length > 200) continue;
    found.forEach(([file, line], i) => {
      for (const [otherFile, otherLine] of found.slice(i + 1)) {
        const overlaps = file === otherFile && otherLine - line < runLines;
        const before = lineBefore(file, line);
        const isInsideRun = before !== undefined && before === lineBefore(otherFile, otherLine);
        if (!overlaps && !isInsideRun) pairs++;
      }
    });
  }
  return pairs;
}

const textOf = (file: string) => readFileSync(join(root, file), 'utf8');

const product = filesWith('ts,tsx').filter(isProduct);
const read = product.map((file) => functionsAndCasts(file, textOf(file)));
const functions = read.flatMap((one) => one.functions);
const everything = filesWith('ts,tsx,css,sql').filter((file) => file !== 'db/tables.ts');
const repetitions = countRepetitions(everything);

const figures = [
  sizesLine(
    'source files, in lines',
    product.map((file) => ({ lines: textOf(file).split('\n').length - 1, where: file })),
  ),
  sizesLine('functions, in lines', functions),
  `functions over 100 lines: ${functions.filter(({ lines }) => lines > 100).length}`,
  `casts: ${read.reduce((sum, { casts }) => sum + casts, 0)}`,
  `pairs of places that share six lines or more: ${repetitions} in ${everything.length} files, ${Math.round((repetitions / everything.length) * 100)} for each 100 files`,
];
process.stdout.write(`${figures.join('\n')}\n`);
