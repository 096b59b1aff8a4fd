import type { Form } from '#questionnaire/form.ts';
import type { FormItem } from '#questionnaire/form-item.ts';
import { repetitionsIn } from '#questionnaire/positions.ts';
import { limits } from '#questionnaire/questionnaire.ts';
import type { ReportItem } from './report-item.ts';

/** Reports a form that would cost each phone and the server too much. */
export function checkSize(form: Form, report: ReportItem): void {
  checkAllOptions(form, report);
  checkRepetitions(form, report);
}

/** Counts the answers in all lists; a list that several items share counts once. */
function checkAllOptions(form: Form, report: ReportItem): void {
  const counted = new Set<readonly unknown[]>();
  let count = 0;
  for (const item of form.all) {
    for (const list of [item.options, item.units]) {
      if (counted.has(list)) continue;
      counted.add(list);
      const isFirstTooMany = count <= limits.allOptions && count + list.length > limits.allOptions;
      count += list.length;
      if (isFirstTooMany) report(item, 'too_many_options_in_all', 'error', '', String(limits.allOptions));
    }
  }
}

/** Counts the questions that an empty form starts with. */
function checkRepetitions(form: Form, report: ReportItem): void {
  const counts = new Map<FormItem, number>();
  const repetitionsOf = (item: FormItem | undefined): number => {
    if (!item) return 1;
    let count = counts.get(item);
    if (count === undefined) {
      count = repetitionsOf(item.parent) * (item.type === 'group' && item.repeats ? Math.max(item.minOccurs, 1) : 1);
      counts.set(item, count);
    }
    return count;
  };
  const isTooMany = (item: FormItem | undefined) => repetitionsOf(item) > limits.startingRepetitions;
  const outermost = form.all.filter((item) => isTooMany(item) && !isTooMany(item.parent));
  for (const item of outermost)
    report(item, 'too_many_repetitions', 'error', 'extension', String(limits.startingRepetitions));
  const { cut } = outermost.length > 0 ? { cut: undefined } : repetitionsIn(form, {});
  if (cut) report(cut, 'too_many_positions', 'error', 'extension', String(limits.positions));
}
