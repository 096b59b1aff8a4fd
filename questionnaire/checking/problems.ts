import { enabledItems, type VisibleItem } from '#questionnaire/visible-items.ts';
import { evaluate, type Evaluation, type Setting } from '#questionnaire/evaluation.ts';
import { canBeAnswered } from '#questionnaire/form.ts';
import { optionFor } from '#questionnaire/options.ts';
import type { Questionnaire } from '#questionnaire/questionnaire.ts';
import { isBlank, isSame, saidIn } from '#questionnaire/values.ts';
import { detailProblem, kindProblem } from './invalid-values.ts';
import type { ProblemCode } from './problem-codes.ts';
import type { Answers, Value } from '#questionnaire/values.ts';

/** What keeps a form from being complete, and where. Its words are in problem-messages.ts. */
export interface Problem {
  code: ProblemCode;
  linkId: string;
  /** The key of the answers it is about; empty when it is about the whole form. */
  path: string;
  /** Which of several values, from 0. */
  index?: number;
  /** What the words name: the limit, the count, the unit. */
  detail?: string | number;
}

/** Everything that keeps these answers from being complete, in the order of the form. Answers of items that are not asked do not count. */
export function problemsOf(questionnaire: Questionnaire, answers: Answers, setting?: Setting): Problem[] {
  return problemsIn(evaluate(questionnaire, answers, setting));
}

function problemsIn(evaluation: Evaluation): Problem[] {
  const problems: Problem[] = [];
  const items = enabledItems(evaluation, false);
  let answerable = 0;
  let answered = 0;
  for (const [i, place] of items.entries()) {
    const { item, indices } = place;
    if (item.type === 'group') {
      if (item.required || item.minOccurs > 0) checkGroup(evaluation, items, i, problems);
      if (item.repeats && (place.repetition ?? 0) === 0) checkCount(evaluation, place, problems);
    }
    if (!item.isQuestion) continue;
    const said = evaluation.said(item, indices);
    if (canBeAnswered(item)) answerable += 1;
    if (!item.hidden && said.length > 0) answered += 1;
    problems.push(...problemsOfAnswer(place, said, evaluation.setting));
    checkAnswerCount(evaluation, place, said, problems);
  }
  if (answerable > 0 && answered === 0 && problems.length === 0) problems.push({ code: 'blank', linkId: '', path: '' });
  return problems;
}

/** A required group needs something said in it; its own questions tell when they are required themselves. */
function checkGroup(evaluation: Evaluation, items: readonly VisibleItem[], at: number, problems: Problem[]): void {
  const head = items[at];
  if (!head || head.item.hidden || !head.item.required) return;
  let hasQuestions = false;
  for (let i = at + 1; i < items.length && (items[i]?.level ?? 0) > head.level; i++) {
    const { item, indices } = items[i] as VisibleItem;
    if (!canBeAnswered(item)) continue;
    if (item.required || evaluation.said(item, indices).length > 0) return;
    hasQuestions = true;
  }
  if (hasQuestions) problems.push({ code: 'required', linkId: head.item.linkId, path: head.key });
}

/** More repetitions than the questionnaire allows, or than fit into a form: those are neither shown nor filed. */
function checkCount(evaluation: Evaluation, { item, key, indices }: VisibleItem, problems: Problem[]): void {
  const count = Object.hasOwn(evaluation.answers, key) ? evaluation.answers[key]?.[0] : 1;
  if (typeof count !== 'number') return;
  const most = Math.min(item.maxOccurs, Math.max(evaluation.countOf(item, indices), item.minOccurs));
  if (count > most) problems.push({ code: 'too_many', linkId: item.linkId, path: key, detail: most });
}

/** More answers than are looked at. */
function checkAnswerCount(
  { answers }: Evaluation,
  { item, key }: VisibleItem,
  said: readonly Value[],
  problems: Problem[],
) {
  const count = item.repeats && Object.hasOwn(answers, key) ? saidIn(answers[key]).length : 0;
  if (count > said.length && said.length <= item.maxOccurs)
    problems.push({ code: 'too_many', linkId: item.linkId, path: key, detail: said.length });
}

/** What is wrong with this one answer: for a word at the field while it is filled. */
export function problemsOfAnswer(
  { item, key }: Pick<VisibleItem, 'item' | 'key'>,
  values: readonly Value[],
  setting: Setting = {},
): Problem[] {
  const said = saidIn(values);
  const problems: Problem[] = [];
  const add = (code: ProblemCode, index?: number, detail?: string | number) =>
    problems.push({
      code,
      linkId: item.linkId,
      path: key,
      ...(index !== undefined && { index }),
      ...(detail !== undefined && { detail }),
    });
  if (said.length === 0) {
    if (item.minOccurs > 0 && canBeAnswered(item)) add(item.signature ? 'not_signed' : 'required');
    return problems;
  }
  if (said.length < item.minOccurs && canBeAnswered(item)) add('too_few', undefined, item.minOccurs);
  if (said.length > item.maxOccurs) add('too_many', undefined, item.maxOccurs);
  said.forEach((value, i) => {
    const index = item.repeats ? i : undefined;
    const wrong = kindProblem(item, value) ?? detailProblem(item, value, setting);
    if (wrong) add(wrong.code, index, wrong.detail);
    else if (item.options.length > 0 && said.findIndex((one) => isSame(one, value)) < i) add('said_twice', index);
  });
  if (said.length > 1 && said.some((value) => optionFor(item.options, value)?.exclusive)) add('only_alone');
  return problems;
}

/**
 * What the server refuses beyond `problemsOf`: answers of items that are not asked, and of items the questionnaire does not have.
 * (A phone keeps answers of hidden items so that they come back; it sends `askedAnswers`.)
 */
function straysIn(questionnaire: Questionnaire, answers: Answers, setting?: Setting): Problem[] {
  const evaluation = evaluate(questionnaire, answers, setting);
  const asked = new Set(
    enabledItems(evaluation, false)
      .filter(({ item, repetition }) => item.isQuestion || repetition !== undefined)
      .map(({ key }) => key),
  );
  return Object.keys(answers)
    .filter((key) => !asked.has(key) && !saidIn(answers[key]).every(isBlank))
    .map((key) => {
      const linkId = linkIdOf(key);
      return { code: evaluation.form.byLinkId.has(linkId) ? 'not_asked' : 'no_such_item', linkId, path: key };
    });
}

/** The linkId in a key of `Answers`. */
export function linkIdOf(key: string): string {
  return key.replace(/(?<!#)((?:##)*)#[\d.]+$/, '$1').replaceAll('##', '#');
}

/** The server's whole check of answers that are handed in: complete, right, and nothing that was not asked. */
export function checkAnswers(questionnaire: Questionnaire, answers: Answers, setting?: Setting): Problem[] {
  return [...straysIn(questionnaire, answers, setting), ...problemsOf(questionnaire, answers, setting)];
}
