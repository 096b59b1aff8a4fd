import { enabledItems, type VisibleItem } from './filling.ts';
import { evaluate, type Evaluation, type Setting } from './evaluation.ts';
import type { FormItem, Limit } from './form.ts';
import type { Attachment, Quantity, Questionnaire } from './questionnaire.ts';
import {
  compare,
  decimalsOf,
  isBlank,
  isCoding,
  isDate,
  isDateTime,
  isRecord,
  isSame,
  isTime,
  saidIn,
} from './values.ts';
import type { Answers, Value } from './values.ts';

export type ProblemCode =
  | 'required'
  | 'not_signed'
  | 'blank'
  | 'too_few'
  | 'too_many'
  | 'too_short'
  | 'too_long'
  | 'too_low'
  | 'too_high'
  | 'too_early'
  | 'too_late'
  | 'not_a_number'
  | 'not_a_whole_number'
  | 'too_many_decimals'
  | 'not_a_date'
  | 'not_a_date_time'
  | 'not_a_time'
  | 'not_an_address'
  | 'wrong_pattern'
  | 'wrong_characters'
  | 'not_an_option'
  | 'said_twice'
  | 'only_alone'
  | 'wrong_unit'
  | 'wrong_file_type'
  | 'file_too_big'
  | 'wrong_kind'
  | 'not_asked'
  | 'no_such_item';

/** What keeps a form from being complete, and where. Its words are in problem-words.ts. */
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

/** Texts longer than this are never taken, whatever the questionnaire says; a pattern is tried on no more. */
export const longestAnswer = 10_000;

/** Everything that keeps these answers from being complete, in the order of the form. Answers of items that are not asked do not count. */
export function problemsOf(questionnaire: Questionnaire, answers: Answers, setting?: Setting): Problem[] {
  return problemsIn(evaluate(questionnaire, answers, setting));
}

/** May this be handed in? Nothing missing, nothing wrong, signed where it must be, and never blank. */
export function isComplete(questionnaire: Questionnaire, answers: Answers, setting?: Setting): boolean {
  return problemsOf(questionnaire, answers, setting).length === 0;
}

/** How far it is: questions that must be answered, and how many of them are. For progress and the queue's "n of m". */
export function progressOf(questionnaire: Questionnaire, answers: Answers, setting?: Setting) {
  const evaluation = evaluate(questionnaire, answers, setting);
  const asked = enabledItems(evaluation, true).filter(({ item }) => item.isQuestion && !item.readOnly);
  const answered = asked.filter(({ item, indices }) => evaluation.said(item, indices).length > 0);
  const needed = asked.filter(({ item }) => item.minOccurs > 0);
  return {
    asked: asked.length,
    answered: answered.length,
    needed: needed.length,
    neededAnswered: needed.filter((one) => answered.includes(one)).length,
  };
}

export function problemsIn(evaluation: Evaluation): Problem[] {
  const problems: Problem[] = [];
  const items = enabledItems(evaluation, false);
  let canBeAnswered = 0;
  let answered = 0;
  for (const [i, place] of items.entries()) {
    const { item, indices } = place;
    if (item.type === 'group') {
      if (item.required || item.minOccurs > 0) checkGroup(evaluation, items, i, problems);
      if ((place.repetition ?? 0) === 0) checkCount(evaluation, place, problems);
    }
    if (!item.isQuestion) continue;
    const said = evaluation.said(item, indices);
    if (!item.hidden && !item.readOnly) canBeAnswered += 1;
    if (!item.hidden && said.length > 0) answered += 1;
    problems.push(...problemsOfAnswer(place, said, evaluation.setting));
  }
  if (canBeAnswered > 0 && answered === 0 && problems.length === 0)
    problems.push({ code: 'blank', linkId: '', path: '' });
  return problems;
}

/** A required group needs something said in it; its own questions tell when they are required themselves. */
function checkGroup(evaluation: Evaluation, items: readonly VisibleItem[], at: number, problems: Problem[]): void {
  const head = items[at];
  if (!head || head.item.hidden || !head.item.required) return;
  let hasQuestions = false;
  for (let i = at + 1; i < items.length && (items[i]?.level ?? 0) > head.level; i++) {
    const { item, indices } = items[i] as VisibleItem;
    if (!item.isQuestion) continue;
    if (item.required || evaluation.said(item, indices).length > 0) return;
    hasQuestions = true;
  }
  if (hasQuestions) problems.push({ code: 'required', linkId: head.item.linkId, path: head.key });
}

function checkCount({ answers }: Evaluation, { item, key }: VisibleItem, problems: Problem[]): void {
  const count = Object.hasOwn(answers, key) ? answers[key]?.[0] : 1;
  if (!item.repeats || typeof count !== 'number') return;
  if (count > item.maxOccurs)
    problems.push({ code: 'too_many', linkId: item.linkId, path: key, detail: item.maxOccurs });
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
    // A person cannot answer what they cannot see or change.
    if (item.minOccurs > 0 && !item.hidden && !item.readOnly) add(item.signature ? 'not_signed' : 'required');
    return problems;
  }
  if (said.length < item.minOccurs) add('too_few', undefined, item.minOccurs);
  if (said.length > item.maxOccurs) add('too_many', undefined, item.maxOccurs);
  said.forEach((value, i) => {
    const index = item.repeats ? i : undefined;
    const wrong = kindProblem(item, value) ?? detailProblem(item, value, setting);
    if (wrong) add(wrong.code, index, wrong.detail);
    else if (item.options.length > 0 && said.findIndex((one) => isSame(one, value)) < i) add('said_twice', index);
  });
  if (said.length > 1 && said.some((value) => item.options.some((one) => one.exclusive && isSame(one.value, value))))
    add('only_alone');
  return problems;
}

type Wrong = { code: ProblemCode; detail?: string | number } | undefined;

/** Is the value of the kind the item asks for? */
export function kindProblem(item: FormItem, value: Value): Wrong {
  const text = typeof value === 'string' ? value : undefined;
  if (text !== undefined && (text.includes('\0') || !text.isWellFormed())) return { code: 'wrong_characters' };
  if (text !== undefined && text.length > longestAnswer) return { code: 'too_long', detail: longestAnswer };
  switch (item.type) {
    case 'boolean':
      return typeof value === 'boolean' ? undefined : { code: 'wrong_kind' };
    case 'integer':
      if (typeof value !== 'number' || !Number.isFinite(value)) return { code: 'not_a_number' };
      return Number.isSafeInteger(value) ? undefined : { code: 'not_a_whole_number' };
    case 'decimal':
      return typeof value === 'number' && Number.isFinite(value) ? undefined : { code: 'not_a_number' };
    case 'date':
      return text !== undefined && isDate(text) ? undefined : { code: 'not_a_date' };
    case 'dateTime':
      return text !== undefined && isDateTime(text) ? undefined : { code: 'not_a_date_time' };
    case 'time':
      return text !== undefined && isTime(text) ? undefined : { code: 'not_a_time' };
    case 'url':
      return text !== undefined && /^[a-z][a-z\d+.-]*:\S+$/i.test(text) ? undefined : { code: 'not_an_address' };
    case 'string':
    case 'text':
      return text === undefined ? { code: 'wrong_kind' } : undefined;
    case 'choice':
    case 'open-choice':
      return optionProblem(item, value);
    case 'quantity':
      return quantityProblem(item, value);
    case 'attachment':
      return isFile(item, value) ? undefined : { code: item.signature ? 'not_signed' : 'wrong_kind' };
    case 'reference':
      return isRecord(value) && ('reference' in value || 'display' in value) ? undefined : { code: 'wrong_kind' };
    default:
      return { code: 'not_asked' };
  }
}

function optionProblem(item: FormItem, value: Value): Wrong {
  if (item.options.some((option) => isSame(option.value, value))) return undefined;
  const isOwnWords = typeof value === 'string' || (isCoding(value) && value.code === undefined);
  if (item.takesOther && isOwnWords) return undefined;
  return item.options.length > 0 || !isCoding(value) ? { code: 'not_an_option' } : undefined;
}

function quantityProblem(item: FormItem, value: Value): Wrong {
  const { value: amount, unit, code } = (isRecord(value) ? value : {}) as Quantity;
  if (typeof amount !== 'number' || !Number.isFinite(amount)) return { code: 'not_a_number' };
  if (item.units.length === 0) return undefined;
  const known = item.units.some(
    (one) => (one.code !== undefined && one.code === code) || (one.display ?? one.code) === unit,
  );
  return known
    ? undefined
    : { code: 'wrong_unit', detail: item.units.map((one) => one.display ?? one.code ?? '').join(', ') };
}

/** A file that was taken: its type, and where it is kept or its bytes. A typed signature is the name alone. */
function isFile(item: FormItem, value: Value): boolean {
  if (!isRecord(value)) return false;
  const { contentType, url, data, title } = value as Attachment;
  const isThere = (text: unknown) => typeof text === 'string' && text.trim() !== '';
  if (item.signature && contentType === 'text/plain') return isThere(title);
  return isThere(contentType) && (isThere(url) || isThere(data));
}

function detailProblem(item: FormItem, value: Value, setting: Setting): Wrong {
  if (typeof value === 'string' && item.options.length === 0) {
    const length = value.length;
    if (item.maxLength !== undefined && length > item.maxLength) return { code: 'too_long', detail: item.maxLength };
    if (item.minLength !== undefined && length < item.minLength) return { code: 'too_short', detail: item.minLength };
    if (item.pattern && !item.pattern(value)) return { code: 'wrong_pattern' };
  }
  if (item.type === 'decimal' && item.maxDecimals !== undefined && decimalsOf(value as number) > item.maxDecimals)
    return { code: 'too_many_decimals', detail: item.maxDecimals };
  if (item.type === 'attachment') return fileProblem(item, value as Attachment);
  return limitProblem(item, value, setting);
}

function limitProblem(item: FormItem, value: Value, { today }: Setting): Wrong {
  const low = limitOn(item.min, today);
  const high = limitOn(item.max, today);
  const isDay = item.type === 'date' || item.type === 'dateTime' || item.type === 'time';
  const told = (limit: Value) => (isRecord(limit) ? String((limit as Quantity).value) : (limit as string | number));
  if (low !== undefined && (compareTo(value, low) ?? 0) < 0)
    return { code: isDay ? 'too_early' : 'too_low', detail: told(low) };
  if (high !== undefined && (compareTo(value, high) ?? 0) > 0)
    return { code: isDay ? 'too_late' : 'too_high', detail: told(high) };
  return undefined;
}

/** An amount is held to a plain number too. */
function compareTo(value: Value, limit: Value): number | undefined {
  return isRecord(value) && typeof limit === 'number'
    ? compare((value as Quantity).value, limit)
    : compare(value, limit);
}

function limitOn(limit: Limit | undefined, today: string | undefined): Value | undefined {
  if (!isRecord(limit) || !('today' in limit)) return limit;
  if (!today) return undefined;
  const counted = limit as { today: number; unit: 'day' | 'month' | 'year' };
  const day = new Date(`${today}T00:00:00Z`);
  if (counted.unit === 'day') day.setUTCDate(day.getUTCDate() + counted.today);
  else day.setUTCMonth(day.getUTCMonth() + counted.today * (counted.unit === 'year' ? 12 : 1));
  return Number.isNaN(day.getTime()) ? undefined : day.toISOString().slice(0, 10);
}

function fileProblem(item: FormItem, { contentType = '', size }: Attachment): Wrong {
  const fits = (type: string) =>
    type === contentType || (type.endsWith('/*') && contentType.startsWith(type.slice(0, -1)));
  if (!item.signature && item.mimeTypes.length > 0 && !item.mimeTypes.some(fits))
    return { code: 'wrong_file_type', detail: item.mimeTypes.join(', ') };
  if (item.maxBytes !== undefined && size !== undefined && size > item.maxBytes)
    return { code: 'file_too_big', detail: item.maxBytes / 1_000_000 };
  return undefined;
}

/**
 * What the server refuses beyond `problemsOf`: answers of items that are not asked, and of items the questionnaire does not have.
 * (A phone keeps answers of hidden items so that they come back; it sends `askedAnswers`.)
 */
export function straysIn(questionnaire: Questionnaire, answers: Answers, setting?: Setting): Problem[] {
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

function linkIdOf(key: string): string {
  return key.replace(/(?<!#)((?:##)*)#[\d.]+$/, '$1').replaceAll('##', '#');
}

/** The server's whole check of answers that are handed in: complete, right, and nothing that was not asked. */
export function checkAnswers(questionnaire: Questionnaire, answers: Answers, setting?: Setting): Problem[] {
  return [...straysIn(questionnaire, answers, setting), ...problemsOf(questionnaire, answers, setting)];
}
