import { checkFiles, type CheckedFile } from '#server/features/forms/check-files.ts';
import { closeFormWork } from '#server/features/forms/index.ts';
import type { Line } from '#bench/ground/report-lines.ts';

/** What no engine could load: no R4 questionnaire, or one that asks nothing. */
const notCounted = new Set(['not_json', 'not_a_questionnaire', 'other_version', 'no_items']);
const aim = 0.95;

/** How many of the published questionnaires in QUESTIONNAIRES_DIR can be used, and why the others cannot. */
export async function questionnaireCorpus(): Promise<Line[]> {
  const folder = process.env.QUESTIONNAIRES_DIR;
  const what = 'published questionnaires that can be used';
  if (!folder) return [{ what, figure: 'not counted', beside: 'set QUESTIONNAIRES_DIR', aim: '', met: null }];
  const counted: CheckedFile[] = [];
  try {
    for await (const file of checkFiles([folder]))
      if (!file.errors.some(({ code }) => notCounted.has(code))) counted.push({ ...file, warnings: [] });
  } finally {
    await closeFormWork();
  }
  if (counted.length === 0) return [{ what, figure: 'none found', beside: folder, aim: '', met: false }];
  const usable = counted.filter((file) => file.usable).length;
  const share = usable / counted.length;
  const byReason = Map.groupBy(
    counted.filter((file) => !file.usable),
    ({ errors }) => errors[0]?.code ?? 'unknown',
  );
  const reasons = [...byReason].toSorted(([, a], [, b]) => b.length - a.length);
  return [
    {
      what,
      figure: `${usable} of ${counted.length} (${(share * 100).toFixed(1)} %)`,
      beside: 'without those that are no R4 or ask nothing',
      aim: `≥ ${aim * 100} %`,
      met: share >= aim,
    },
    ...reasons.map(([code, files]): Line => {
      const names = files.map(({ file }) => file.slice(folder.length + 1));
      const more = names.length > 3 ? ', …' : '';
      return {
        what: `  not: ${code}`,
        figure: String(files.length),
        beside: names.slice(0, 3).join(', ') + more,
        aim: '',
        met: null,
      };
    }),
  ];
}
