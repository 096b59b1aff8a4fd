import { kindProblem } from '#questionnaire/checking/invalid-values.ts';
import type { Form } from '#questionnaire/form.ts';
import type { FormItem } from '#questionnaire/form-item.ts';
import { containedSet } from '#questionnaire/options.ts';
import type { Questionnaire } from '#questionnaire/questionnaire.ts';
import type { ReportItem } from './report-item.ts';

/** The types, besides choices, that FHIR allows a list of answers for. */
const typesWithOptions: readonly string[] = ['integer', 'date', 'time', 'string', 'text'];

/** Reports a choice without answers, and answers that are never offered. */
export function checkOptions(item: FormItem, { questionnaire }: Form, report: ReportItem): void {
  const isChoice = item.type === 'choice' || item.type === 'open-choice';
  const listed = item.source.answerOption?.length ?? 0;
  if (isChoice && item.options.length === 0) checkMissingOptions(item, listed, questionnaire, report);
  if (!isChoice && listed > 0 && item.type !== 'unknown' && !typesWithOptions.includes(item.type))
    report(item, 'options_not_used', 'warning', 'answerOption', item.source.type);
  const leftOut = listed - item.options.length;
  if (leftOut > 0 && item.isQuestion) report(item, 'option_twice', 'warning', 'answerOption', String(leftOut));
}

/** Why a choice offers no answer. */
function checkMissingOptions(item: FormItem, listed: number, questionnaire: Questionnaire, report: ReportItem): void {
  const set = item.source.answerValueSet;
  if (set && listed === 0) {
    const isMissing = set.startsWith('#') && containedSet(set, questionnaire) === undefined;
    if (isMissing) report(item, 'value_set_missing', 'error', 'answerValueSet', set);
    else report(item, 'value_set_elsewhere', 'warning', 'answerValueSet', set);
  } else if (item.type === 'choice') report(item, 'choice_without_options', 'warning', 'answerOption');
}

export function checkInitialValues(item: FormItem, report: ReportItem): void {
  for (const value of item.initial)
    if (kindProblem(item, value)) report(item, 'initial_wrong', 'warning', 'initial', String(JSON.stringify(value)));
}
