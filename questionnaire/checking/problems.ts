import { enabledItems, type VisibleItem } from '#questionnaire/visible-items.ts';
import { evaluate, type Evaluation, type EvaluationContext } from '#questionnaire/evaluation.ts';
import { isDate } from '#questionnaire/dates/date-formats.ts';
import { canBeAnswered, canBeChanged, isHidden, offersNothing, type FormItem } from '#questionnaire/form-item.ts';
import { optionFor } from '#questionnaire/options.ts';
import { keyOf } from '#questionnaire/positions.ts';
import type { Questionnaire } from '#questionnaire/questionnaire.ts';
import { isSameValue, filledValues } from '#questionnaire/values.ts';
import type { Translations } from '#questionnaire/language/language.ts';
import type { BrokenConstraint } from './broken-constraint.ts';
import { detailProblem, kindProblem } from './invalid-values.ts';
import { mostAnswers } from './most-answers.ts';
import type { ProblemCode } from './problem-codes.ts';
import type { Answers, Value } from '#questionnaire/values.ts';

/** Why a form is not complete, and where. The messages are in problem-messages.ts. */
export interface Problem {
  code: ProblemCode;
  linkId: string;
  /** The key of the answers it is about; empty when it is about the whole form. */
  path: string;
  /** Which of several values, from 0. */
  index?: number;
  /** What the message names: the limit, the count, the unit. */
  detail?: string | number;
  /** What the questionnaire itself says about it. */
  message?: Translations;
  /** Only a warning: the form can be submitted. */
  isWarning?: boolean;
  /** Whether it depends on later answers too, so that it does not stop the patient before the review. */
  isEarly?: boolean;
}

/** All problems of these answers, in the order of the form. Answers to items that are not asked are ignored. */
export function problemsOf(questionnaire: Questionnaire, answers: Answers, setting?: EvaluationContext): Problem[] {
  return problemsIn(evaluate(questionnaire, answers, setting));
}

function problemsIn(evaluation: Evaluation): Problem[] {
  const problems: Problem[] = [];
  const items = enabledItems(evaluation, false);
  const birthDate = birthDateIn(evaluation);
  let answerable = 0;
  let answered = 0;
  for (const [i, place] of items.entries()) {
    const { item, indices } = place;
    if (item.type === 'group') {
      if (item.required || item.minOccurs > 0) checkGroup(evaluation, items, i, problems);
      if (item.repeats && (place.repetition ?? 0) === 0) checkCount(evaluation, place, problems);
    }
    if (!item.isQuestion) continue;
    const values = evaluation.answersTo(item, indices);
    const offered = asOffered(evaluation, place);
    if (mayRequire(offered)) answerable += 1;
    if (values.length > 0 && !isHidden(item)) answered += 1;
    // What is wrong with a value that nobody can change would keep the form from ever being submitted.
    if (!canBeChanged(item)) continue;
    problems.push(...problemsOfAnswer({ item: offered, key: place.key }, values, evaluation.setting));
    if (item.sinceBirth && birthDate !== undefined && values.some((value) => isBefore(value, birthDate)))
      problems.push({ code: 'before_birth', linkId: item.linkId, path: place.key });
    checkAnswerCount(evaluation, place, values, problems);
  }
  const broken = (evaluation.setting.broken ?? []).filter(({ isWarning }) => !isWarning).map(constraintProblem);
  if (broken.length > 0) return inOrder([...problems, ...broken], items);
  if (answerable > 0 && answered === 0 && problems.length === 0) problems.push({ code: 'blank', linkId: '', path: '' });
  return problems;
}

/** The item with the options that it offers now. */
const asOffered = ({ setting }: Evaluation, { item, key }: VisibleItem): FormItem => setting.offered?.get(key) ?? item;

/** Whether an answer may be required: a person can answer, and there is an option to choose. */
const mayRequire = (item: FormItem): boolean => canBeAnswered(item) && !offersNothing(item);

/** Problems in the order of the form, those of the whole form last. */
function inOrder(problems: readonly Problem[], items: readonly VisibleItem[]): Problem[] {
  const order = new Map(items.map(({ key }, i) => [key, i]));
  const orderOf = ({ path }: Problem) => order.get(path) ?? Infinity;
  // Both of the whole form would be Infinity - Infinity.
  return problems.toSorted((a, b) => (orderOf(a) === orderOf(b) ? 0 : orderOf(a) - orderOf(b)));
}

function constraintProblem({ linkId, path, message, isWarning, isEarly }: BrokenConstraint): Problem {
  return { code: 'constraint', linkId, path, message, ...(isWarning && { isWarning }), ...(isEarly && { isEarly }) };
}

/** The warnings about these answers: constraints that are broken and keep nobody from submitting. */
export function warningsIn({ broken = [] }: EvaluationContext): Problem[] {
  return broken.filter(({ isWarning }) => isWarning).map(constraintProblem);
}

/** A required group needs an answer in it. If one of its questions is required, that question reports the problem itself. */
function checkGroup(evaluation: Evaluation, items: readonly VisibleItem[], at: number, problems: Problem[]): void {
  const head = items[at];
  if (!head || !head.item.required || isHidden(head.item)) return;
  let hasQuestions = false;
  for (let i = at + 1; i < items.length && (items[i]?.level ?? 0) > head.level; i++) {
    const place = items[i] as VisibleItem;
    const { item, indices } = place;
    if (!mayRequire(asOffered(evaluation, place))) continue;
    if (item.required || evaluation.answersTo(item, indices).length > 0) return;
    hasQuestions = true;
  }
  if (hasQuestions) problems.push({ code: 'required', linkId: head.item.linkId, path: head.key });
}

/** Reports more repetitions than the questionnaire allows, or than fit into a form: those are neither shown nor filed. */
function checkCount(evaluation: Evaluation, { item, key, indices }: VisibleItem, problems: Problem[]): void {
  const count = Object.hasOwn(evaluation.answers, key) ? evaluation.answers[key]?.[0] : 1;
  if (typeof count !== 'number') return;
  const most = Math.min(item.maxOccurs, Math.max(evaluation.countOf(item, indices), item.minOccurs));
  if (count > most) problems.push({ code: 'too_many', linkId: item.linkId, path: key, detail: most });
}

/** Reports more answers than are evaluated. */
function checkAnswerCount(
  { answers }: Evaluation,
  { item, key }: VisibleItem,
  values: readonly Value[],
  problems: Problem[],
) {
  const count = item.repeats && Object.hasOwn(answers, key) ? filledValues(answers[key]).length : 0;
  if (count > values.length && values.length <= item.maxOccurs)
    problems.push({ code: 'too_many', linkId: item.linkId, path: key, detail: values.length });
}

const fewestAnswers = (item: FormItem): number =>
  item.minOccurs > 1 ? Math.min(item.minOccurs, mostAnswers(item)) : item.minOccurs;

function missingCode({ signature, type }: FormItem): ProblemCode {
  if (signature) return 'not_signed';
  return type === 'attachment' ? 'no_photo' : 'required';
}

/** The birth date that a hidden item of the form holds. */
function birthDateIn({ form, answers }: Evaluation): string | undefined {
  const fact = form.all.find(({ known, within }) => known === 'birth-date' && within.length === 0);
  const [birthDate] = fact ? filledValues(answers[keyOf(fact, [])]) : [];
  return typeof birthDate === 'string' ? birthDate : undefined;
}

/** A year or a month is before the birth date only if all of it is. */
const isBefore = (date: Value, birthDate: string) =>
  typeof date === 'string' && isDate(date) && date < birthDate.slice(0, date.length);

/** The problems of one answer, to show at its field. */
export function problemsOfAnswer(
  { item, key }: Pick<VisibleItem, 'item' | 'key'>,
  allValues: readonly Value[],
  setting: EvaluationContext = {},
): Problem[] {
  const values = filledValues(allValues);
  const problems: Problem[] = [];
  const add = (code: ProblemCode, index?: number, detail?: string | number) =>
    problems.push({
      code,
      linkId: item.linkId,
      path: key,
      ...(index !== undefined && { index }),
      ...(detail !== undefined && { detail }),
    });
  // What was chosen before its option was switched off is not filed.
  if (offersNothing(item)) return problems;
  const fewest = mayRequire(item) ? fewestAnswers(item) : 0;
  if (values.length === 0) {
    if (fewest > 0) add(missingCode(item));
    return problems;
  }
  if (values.length < fewest) add('too_few', undefined, fewest);
  if (values.length > item.maxOccurs) add('too_many', undefined, item.maxOccurs);
  values.forEach((value, i) => {
    const index = item.repeats ? i : undefined;
    const wrong = kindProblem(item, value) ?? detailProblem(item, value, setting);
    if (wrong) add(wrong.code, index, wrong.detail);
    else if (item.options.length > 0 && values.findIndex((one) => isSameValue(one, value)) < i)
      add('said_twice', index);
  });
  if (values.length > 1 && values.some((value) => optionFor(item.options, value)?.exclusive)) add('only_alone');
  return problems;
}

/** The linkId in a key of `Answers`. */
export function linkIdOf(key: string): string {
  return key.replace(/(?<!#)((?:##)*)#[\d.]+$/, '$1').replaceAll('##', '#');
}
