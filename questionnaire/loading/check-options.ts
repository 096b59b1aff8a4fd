import { kindProblem } from '#questionnaire/checking/invalid-values.ts';
import { extensionOf, textOf, urls } from '#questionnaire/extensions.ts';
import type { Form } from '#questionnaire/form.ts';
import { mostAnswers } from '#questionnaire/checking/most-answers.ts';
import { canBeAnswered, type FormItem } from '#questionnaire/form-item.ts';
import { containedSet, optionFor } from '#questionnaire/options.ts';
import type { Questionnaire } from '#questionnaire/questionnaire.ts';
import { isCoding } from '#questionnaire/values.ts';
import type { ReportItem } from './report-item.ts';
import { expansionFailure } from './value-sets.ts';

/** The types, besides choices, that FHIR allows a list of answers for. */
const typesWithOptions: readonly string[] = ['integer', 'date', 'time', 'string', 'text'];

/** Reports a choice without answers, and answers that are never offered. */
export function checkOptions(item: FormItem, { questionnaire }: Form, report: ReportItem): void {
  const isChoice = item.type === 'choice' || item.type === 'open-choice';
  const listed = item.source.answerOption?.length ?? 0;
  if (isChoice && item.options.length === 0) checkMissingOptions(item, listed, questionnaire, report);
  checkDemanded(item, report);
  if (!isChoice && listed > 0 && item.type !== 'unknown' && !typesWithOptions.includes(item.type))
    report(item, 'options_not_used', 'warning', 'answerOption', item.source.type);
  const unitSet = textOf(item.source, urls.unitValueSet);
  const unitFailure = unitSet === undefined ? undefined : expansionFailure(questionnaire, unitSet);
  if (unitFailure) report(item, unitFailure.code, 'warning', 'extension', unitSet, '', unitFailure.cause);
  const leftOut = listed - item.options.length;
  if (leftOut > 0 && item.isQuestion) report(item, 'option_twice', 'warning', 'answerOption', String(leftOut));
}

/** Reports a choice that demands more answers than it offers: it could never be complete. */
function checkDemanded(item: FormItem, report: ReportItem): void {
  if (item.minOccurs < 2) return;
  const most = mostAnswers(item);
  if (item.minOccurs > most && most > 0 && canBeAnswered(item) && !hasOffers(item))
    report(item, 'options_too_few', 'error', 'extension', `${item.minOccurs} > ${most}`);
}

/** Why a choice offers no answer. */
function checkMissingOptions(item: FormItem, listed: number, questionnaire: Questionnaire, report: ReportItem): void {
  const set = item.source.answerValueSet;
  const failure = set === undefined ? undefined : expansionFailure(questionnaire, set);
  if (set && listed === 0) {
    if (failure) return report(item, failure.code, 'warning', 'answerValueSet', set, '', failure.cause);
    const isMissing = set.startsWith('#') && containedSet(set, questionnaire) === undefined;
    if (isMissing) report(item, 'value_set_missing', 'error', 'answerValueSet', set);
    else report(item, 'value_set_elsewhere', 'warning', 'answerValueSet', set);
  } else if (item.type === 'choice' && !hasOffers(item))
    report(item, 'choice_without_options', 'warning', 'answerOption');
}

/** Whether its answers are calculated. */
const hasOffers = ({ source }: FormItem) =>
  [urls.answersBy, urls.candidatesBy].some((url) => extensionOf(source, url) !== undefined);

export function checkInitialValues(item: FormItem, report: ReportItem): void {
  for (const { valueCoding } of item.source.initial ?? [])
    if (isNamedByText(item, valueCoding)) report(item, 'coding_by_display', 'warning', 'initial', valueCoding?.display);
  for (const value of item.initial)
    if (kindProblem(item, value)) report(item, 'initial_wrong', 'warning', 'initial', String(JSON.stringify(value)));
}

/** Whether a value names one of the options only by its text. */
export function isNamedByText({ options }: FormItem, value: unknown): boolean {
  if (!isCoding(value) || value.code !== undefined) return false;
  const option = optionFor(options, value)?.value;
  return isCoding(option) && option.code !== undefined;
}
