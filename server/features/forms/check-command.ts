import { UsageError, type CommandArguments, type StandaloneCommand } from '#server/kit/command.ts';
import { checkFiles, type CheckedFile } from './check-files.ts';
import { groupedFindings } from './finding-messages.ts';

/** For the authors of questionnaires: it needs no database, so it also runs before anything is installed. */
export const formCheckCommand: StandaloneCommand = {
  name: 'form check',
  takes: '[--json] PATH…',
  says: 'Says what Anteroom can and cannot do with FHIR R4 Questionnaires: files, bundles and folders; exit code 1 when one cannot be used',
  switches: ['json'],
  run: check,
};

async function check({ operands, switches }: CommandArguments, say: (line: string) => void): Promise<number> {
  if (operands.length === 0) throw new UsageError('Which files? Usage: script/anteroom form check [--json] PATH…');
  const checked: CheckedFile[] = [];
  for await (const file of checkFiles(operands)) {
    // After a file is checked, only its counts for the summary stay in memory.
    checked.push({ ...file, warnings: [] });
    if (switches.has('json')) say(jsonLine(file));
    else for (const line of linesOf(file)) say(line);
  }
  if (checked.length === 0) throw new UsageError(`There is no questionnaire in ${operands.join(', ')}.`);
  const unusable = checked.filter(({ usable }) => !usable);
  if (!switches.has('json') && checked.length > 1) for (const line of summaryOf(checked, unusable)) say(line);
  return unusable.length > 0 ? 1 : 0;
}

const jsonLine = ({ file, usable, errors, warnings }: CheckedFile) =>
  JSON.stringify({ file, usable, errors, warnings });

function linesOf({ file, usable, size, errors, warnings }: CheckedFile): string[] {
  const first = size
    ? `${file}: can be used. "${size.title}" asks ${counted(size.questions, 'question')}${size.calculated > 0 ? `, ${size.calculated} of them calculated` : ''}.`
    : `${file}: cannot be used.`;
  const severities = usable ? (['warning'] as const) : (['error', 'warning'] as const);
  const found = { error: errors, warning: warnings };
  return [first, ...severities.flatMap((severity) => groupedFindings(severity, found[severity]))];
}

/** How many can be used, and why the others cannot, the most frequent reason first. */
function summaryOf(checked: readonly CheckedFile[], unusable: readonly CheckedFile[]): string[] {
  const share = Math.floor((1000 * (checked.length - unusable.length)) / checked.length) / 10;
  const reasons = new Map<string, { message: string; count: number }>();
  for (const { errors } of unusable) {
    const [error] = errors;
    if (!error) continue;
    const reason = reasons.get(error.code) ?? { message: error.message, count: 0 };
    reasons.set(error.code, { ...reason, count: reason.count + 1 });
  }
  const lines = [...reasons].toSorted(([, a], [, b]) => b.count - a.count);
  return [
    '',
    `${checked.length - unusable.length} of ${counted(checked.length, 'questionnaire')} can be used (${share} %).`,
    ...lines.map(([code, { message, count }]) => `  ${count} cannot: ${code}, such as: ${message}`),
  ];
}

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;
