import {
  countOfAsked,
  countOfConditional,
  hasConditional,
  sumOfNumbers,
  sumOfPoints,
  type GeneratedForm,
} from './generated-forms.ts';
import type {
  EnableWhen,
  Extension,
  Item,
  QuestionnaireResponse,
  ResponseItem,
  TypedValue,
} from '#questionnaire/questionnaire.ts';

/** The answers under each linkId, as text that can be compared. */
export type Reading = Map<string, string>;

/** Ways in which a program may read a form that are not those of the specification. */
export interface Deviations {
  /** `enableWhen` sees the answers to questions that are not asked. */
  conditionsSeeHidden?: boolean;
  /** Expressions do. */
  expressionsSeeHidden?: boolean;
  /** What a condition that is an expression hides keeps its answer. */
  hiddenByExpressionStays?: boolean;
  /** Without an answer, `!=` does not hold, except for a boolean. */
  unequalNeedsAnswer?: boolean;
  /** No condition on a date that was answered holds, except that there is one. */
  datesNeverCompare?: boolean;
  /** `ordinal()` finds no points, so a sum of them has no result. */
  ordinalIsEmpty?: boolean;
}

/**
 * What is left of a generated form's answers and what is calculated, read straight from the specification. It shares no code with the engine
 * and knows only what `generateForms` makes: no question looks at a later one, and no group repeats.
 */
export function readPlainly({ questionnaire, response }: GeneratedForm, deviations: Deviations = {}): Reading {
  const given = answersIn(response.item);
  const left = new Map<string, TypedValue[]>();
  const inConditions = deviations.conditionsSeeHidden ? given : left;
  const inExpressions = deviations.expressionsSeeHidden ? given : left;

  const visit = (item: Item) => {
    const expression = expressionIn(item, 'enableWhenExpression');
    const stays = expression === undefined || deviations.hiddenByExpressionStays || isTrue(expression, inExpressions);
    if (!stays || !isEnabled(item, inConditions, deviations)) return;
    const answers = given.get(item.linkId);
    if (answers) left.set(item.linkId, answers);
    for (const child of item.item ?? []) visit(child);
  };
  for (const item of questionnaire.item ?? []) visit(item);

  const reading: Reading = new Map([...left].map(([linkId, answers]) => [linkId, answers.map(textOf).join(', ')]));
  for (const item of questionnaire.item ?? []) {
    const expression = expressionIn(item, 'calculatedExpression');
    const result =
      expression === undefined ? undefined : calculate(expression, questionnaire.item ?? [], inExpressions);
    const isUnknown = deviations.ordinalIsEmpty && expression === sumOfPoints;
    if (result !== undefined && !isUnknown) reading.set(item.linkId, String(result));
  }
  return reading;
}

/** A response as a reading. */
export function readingOf(response: QuestionnaireResponse): Reading {
  const reading: Reading = new Map();
  for (const [linkId, answers] of answersIn(response.item)) reading.set(linkId, answers.map(textOf).join(', '));
  return reading;
}

type AnswersByLinkId = ReadonlyMap<string, TypedValue[]>;

function isEnabled(item: Item, seen: AnswersByLinkId, deviations: Deviations): boolean {
  const { enableWhen = [], enableBehavior } = item;
  if (enableWhen.length === 0) return true;
  const holds = (condition: EnableWhen) => isMet(condition, seen.get(condition.question) ?? [], deviations);
  return enableBehavior === 'any' ? enableWhen.some(holds) : enableWhen.every(holds);
}

function isMet(condition: EnableWhen, answers: TypedValue[], deviations: Deviations): boolean {
  const { operator } = condition;
  if (operator === 'exists') return answers.length > 0 === condition.answerBoolean;
  const expected = plainValue(condition, 'answer');
  const values = answers.map((answer) => plainValue(answer, 'value'));
  if (condition.answerDate !== undefined && deviations.datesNeverCompare && values.length > 0) return false;
  if (operator === '!=') {
    if (values.length === 0 && deviations.unequalNeedsAnswer) return condition.answerBoolean !== undefined;
    return !values.some((value) => value === expected);
  }
  return values.some((value) => {
    if (operator === '=') return value === expected;
    if (operator === '<') return value < expected;
    if (operator === '<=') return value <= expected;
    return operator === '>' ? value > expected : value >= expected;
  });
}

/** The conditions that are expressions, each by what it means. */
function isTrue(expression: string, seen: AnswersByLinkId): boolean {
  if (expression === hasConditional) return countOf(seen, 'c') > 1;
  if (expression.includes("'q1'")) return seen.has('q1');
  if (expression.includes("'q2'")) return !seen.has('q2');
  throw new Error(`No reading of ${expression}`);
}

/** The result of a calculation; undefined if it has none. */
function calculate(expression: string, items: readonly Item[], seen: AnswersByLinkId): number | undefined {
  if (expression === countOfAsked) return countOf(seen, 'q');
  if (expression === countOfConditional) return countOf(seen, 'c');
  if (expression === sumOfNumbers) {
    const numbers = [...seen].flatMap(([linkId, answers]) => (linkId.startsWith('c') ? answers : []));
    return sumOf(numbers.flatMap(({ valueInteger }) => valueInteger ?? []));
  }
  if (expression === sumOfPoints) {
    const choices = items.flatMap((item) => [item, ...(item.item ?? [])]).filter(({ type }) => type === 'choice');
    return sumOf(choices.flatMap((item) => (seen.get(item.linkId) ?? []).map((answer) => pointsOf(item, answer))));
  }
  throw new Error(`No reading of ${expression}`);
}

/** FHIRPath's sum of nothing is nothing. */
const sumOf = (numbers: readonly number[]) => (numbers.length > 0 ? sum(numbers) : undefined);
const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

const countOf = (seen: AnswersByLinkId, prefix: string) =>
  sum([...seen].map(([linkId, answers]) => (linkId.startsWith(prefix) ? answers.length : 0)));

function pointsOf({ answerOption = [] }: Item, { valueCoding }: TypedValue): number {
  const option = answerOption.find((one) => one.valueCoding?.code === valueCoding?.code)?.valueCoding;
  return option?.extension?.[0]?.['valueDecimal'] as number;
}

function expressionIn({ extension = [] }: Item, name: string): string | undefined {
  const found = extension.find(({ url }) => url.endsWith(name)) as Extension | undefined;
  return (found?.['valueExpression'] as { expression: string } | undefined)?.expression;
}

function answersIn(items: readonly ResponseItem[] = []): Map<string, TypedValue[]> {
  return new Map(
    items.flatMap(({ linkId, answer = [], item }) => [
      ...(answer.length > 0 ? [[linkId, answer] as const] : []),
      ...answersIn(item),
      ...answer.flatMap((one) => [...answersIn((one as { item?: ResponseItem[] }).item)]),
    ]) as [string, TypedValue[]][],
  );
}

/** The value of an answer or a condition; a choice is its code. */
function plainValue(holder: TypedValue | EnableWhen, prefix: 'value' | 'answer'): string | number | boolean {
  const [, value] = Object.entries(holder).find(([name]) => name.startsWith(prefix)) as [string, unknown];
  return typeof value === 'object' ? (value as { code: string }).code : (value as string | number | boolean);
}

const textOf = (answer: TypedValue) => String(plainValue(answer, 'value'));
