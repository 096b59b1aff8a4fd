import { evaluate, type EvaluationContext } from '#questionnaire/evaluation.ts';
import { keyOf, type Indices } from '#questionnaire/positions.ts';
import { ResultTooLarge } from './expression-limits.ts';
import { expressionOf, extensionsOf, urls } from '#questionnaire/extensions.ts';
import { enabledItems, type VisibleItem } from '#questionnaire/visible-items.ts';
import { formOf, type Form } from '#questionnaire/form.ts';
import type { FormItem } from '#questionnaire/form-item.ts';
import { optionFor } from '#questionnaire/options.ts';
import { problemsOfAnswer } from '#questionnaire/checking/problems.ts';
import type { FhirElement, Questionnaire, QuestionnaireResponse, ResponseItem } from '#questionnaire/questionnaire.ts';
import type { Finding } from '#questionnaire/loading/findings.ts';
import { toResponse } from './response.ts';
import type { Answers, Value } from '#questionnaire/values.ts';

/** What an expression is evaluated on. */
export interface ExpressionContext {
  resource: QuestionnaireResponse;
  /** The path of the item that is the expression's context, as `item[2].item[0]`; empty for the response itself. */
  at: string;
  variables: Readonly<Record<string, unknown>>;
  /** The office's day. */
  today: string | undefined;
}

/** Evaluates FHIRPath. `loadExpressions` fetches it only for a questionnaire that calculates, because it is large (200 kB). */
export interface Expressions {
  /** The result of an expression. Throws if it is not understood. */
  evaluate(questionnaire: Questionnaire, expression: string, place: ExpressionContext): unknown[];
  /** The result in the form in which other expressions use it as a variable. */
  variable(questionnaire: Questionnaire, expression: string, place: ExpressionContext): unknown;
}

/** Does the questionnaire calculate? Then call `settleCalculations` before anything else looks at its answers. */
export function needsExpressions(questionnaire: Questionnaire): boolean {
  return formOf(questionnaire).usesExpressions;
}

/** How many rounds calculations may change each other before they count as endless. */
const mostRounds = 8;

export interface CalculationResult {
  answers: Answers;
  /** Pass it to everything that looks at these answers: it has the items that expressions enable. */
  setting: EvaluationContext;
  /** LinkIds of items whose expression was not understood, is endless or has too large a result. */
  failed: string[];
  /** A result was too large, so these answers are not what the questionnaire calculates. */
  isTooLarge: boolean;
}

/**
 * Evaluates calculated values and conditions until nothing changes any more. The result of a calculation replaces any answer: the server
 * calculates again and does not trust the phone. Without a result a person may answer, unless the item is read-only or hidden.
 */
export function settleCalculations(
  questionnaire: Questionnaire,
  answers: Answers,
  expressions: Expressions,
  setting: EvaluationContext = {},
): CalculationResult {
  const failed: FailedExpressions = new Map();
  const settled = settleWith(questionnaire, answers, expressions, setting, failed);
  return {
    ...settled,
    failed: [...failed.keys()],
    isTooLarge: [...failed.values()].some((failure) => failure.isTooLarge),
  };
}

/** The first expression of each item that failed, by linkId; '' is the questionnaire itself. */
type FailedExpressions = Map<string, { expression: string; isTooLarge: boolean }>;

function fail(failed: FailedExpressions, linkId: string, expression: string, error?: unknown): void {
  if (!failed.has(linkId)) failed.set(linkId, { expression, isTooLarge: error instanceof ResultTooLarge });
}

function settleWith(
  questionnaire: Questionnaire,
  answers: Answers,
  expressions: Expressions,
  setting: EvaluationContext,
  failed: FailedExpressions,
): CalculationResult {
  let now: CalculationResult = { answers, setting: { ...setting, decided: new Map() }, failed: [], isTooLarge: false };
  for (let round = 0; round < mostRounds; round++) {
    const next = calculateOnce(questionnaire, now, expressions, failed);
    if (isSettled(now, next)) return next;
    now = next;
  }
  for (const { calculated, enabledBy, linkId } of formOf(questionnaire).all) {
    const expression = calculated ?? enabledBy;
    if (expression !== undefined) fail(failed, linkId, expression);
  }
  return now;
}

/** Every expression of a form with its item; without an item it belongs to the questionnaire itself. */
export function expressionsIn({ questionnaire, all }: Form): { item: FormItem | undefined; expression: string }[] {
  const variablesOf = (owner: FhirElement) =>
    extensionsOf(owner, urls.variable).map((extension) => expressionOf(extension)?.expression);
  return [undefined, ...all].flatMap((item) =>
    [...variablesOf(item?.source ?? questionnaire), item?.calculated, item?.enabledBy, item?.initialBy]
      .filter((expression) => expression !== undefined)
      .map((expression) => ({ item, expression })),
  );
}

function isSettled(one: CalculationResult, other: CalculationResult): boolean {
  const [before = new Map<string, boolean>(), after = new Map<string, boolean>()] = [
    one.setting.decided,
    other.setting.decided,
  ];
  const decided = before.size === after.size && [...after].every(([key, value]) => before.get(key) === value);
  return decided && JSON.stringify(one.answers) === JSON.stringify(other.answers);
}

function calculateOnce(
  questionnaire: Questionnaire,
  { answers, setting }: CalculationResult,
  expressions: Expressions,
  failed: FailedExpressions,
): CalculationResult {
  const look = evaluatorOf(questionnaire, answers, setting, expressions, failed);
  const decided = new Map<string, boolean>();
  const next: Record<string, readonly Value[]> = { ...answers };
  const everything = evaluate(questionnaire, answers, { ...setting, decided: new Map() });
  for (const { item, key, indices, repetition } of enabledItems(everything, false)) {
    if (item.enabledBy && (repetition ?? 0) === 0) {
      const values = look(item, item.enabledBy, indices);
      decided.set(key, values.length > 0 && values.every((value) => value === true));
    }
    if (!item.calculated || !item.isQuestion) continue;
    const values = valuesFrom(look(item, item.calculated, indices), item);
    if (values.length > 0) next[key] = values;
    else if (item.readOnly || item.hidden) delete next[key];
  }
  return { answers: next, setting: { ...setting, decided }, failed: [], isTooLarge: false };
}

/** What `checkQuestionnaire` cannot see without the library: expressions that are not understood or endless. */
export function checkExpressions(questionnaire: Questionnaire, expressions: Expressions): Finding[] {
  const failed: FailedExpressions = new Map();
  settleWith(questionnaire, {}, expressions, {}, failed);
  return Array.from(failed, ([linkId, { expression, isTooLarge }]) => ({
    code: isTooLarge ? 'expression_result_too_large' : 'expression_not_understood',
    severity: 'error',
    place: '',
    linkId,
    detail: expression.slice(0, 200),
  }));
}

/** Adds the results of `initialExpression`s where there is no answer yet: once, when a form is started. */
export function startExpressions(
  questionnaire: Questionnaire,
  answers: Answers,
  expressions: Expressions,
  setting: EvaluationContext = {},
): Answers {
  const look = evaluatorOf(questionnaire, answers, setting, expressions, new Map());
  const started: Record<string, readonly Value[]> = { ...answers };
  for (const { item, key, indices } of enabledItems(evaluate(questionnaire, answers, setting), false)) {
    if (!item.initialBy || !item.isQuestion || started[key]) continue;
    const values = valuesFrom(look(item, item.initialBy, indices), item);
    if (values.length > 0) started[key] = values;
  }
  return started;
}

type EvaluateAt = (item: FormItem, expression: string, indices: Indices) => unknown[];

function evaluatorOf(
  questionnaire: Questionnaire,
  answers: Answers,
  setting: EvaluationContext,
  expressions: Expressions,
  failed: FailedExpressions,
): EvaluateAt {
  const resource = toResponse(questionnaire, answers, { status: 'in-progress', withOptionExtensions: true }, setting);
  const placeAt = (at: string, variables: ExpressionContext['variables']) => ({
    resource,
    at,
    variables,
    today: setting.today,
  });
  const withVariables = (linkId: string, owner: FhirElement, at: string, known: ExpressionContext['variables']) => {
    let variables = known;
    for (const extension of extensionsOf(owner, urls.variable)) {
      const found = expressionOf(extension);
      if (!found?.name) continue;
      let value: unknown = [];
      try {
        value = expressions.variable(questionnaire, found.expression, placeAt(at, variables));
      } catch (error) {
        fail(failed, linkId, found.expression, error);
      }
      variables = { ...variables, [found.name]: value };
    }
    return variables;
  };
  const ofAll = withVariables('', questionnaire, '', {});
  const known = new Map<string, ExpressionContext['variables']>();
  const variablesOf = (item: FormItem | undefined, indices: Indices): ExpressionContext['variables'] => {
    if (!item) return ofAll;
    const key = keyOf(item, indices.slice(0, item.within.length + 1));
    const before = known.get(key);
    if (before) return before;
    const above = variablesOf(item.parent, indices);
    const own = extensionsOf(item.source, urls.variable).length > 0;
    const variables = own
      ? withVariables(item.linkId, item.source, pathTo(resource, item, indices)?.path ?? '', above)
      : above;
    known.set(key, variables);
    return variables;
  };

  return (item, expression, indices) => {
    const variables = variablesOf(item, indices);
    try {
      const at = item.parent && pathTo(resource, item.parent, indices)?.path;
      return expressions.evaluate(questionnaire, expression, placeAt(at ?? '', variables));
    } catch (error) {
      fail(failed, item.linkId, expression, error);
      return [];
    }
  };
}

/** The path in the response of the item's repetition that the indices name; undefined if it has no answer. */
function pathTo(
  response: QuestionnaireResponse,
  item: FormItem,
  indices: Indices,
): { path: string; found: ResponseItem } | undefined {
  const { parent } = item;
  const above = parent ? pathTo(response, parent, indices) : { path: '', found: response };
  if (!above) return undefined;
  const nth = parent?.isQuestion && parent.repeats ? (indices[parent.within.length] ?? 0) : 0;
  const inside = parent?.isQuestion ? (above.found as ResponseItem).answer?.[nth]?.item : above.found.item;
  const ofThis = [...(inside ?? []).entries()].filter(([, { linkId }]) => linkId === item.linkId);
  const entry = ofThis[item.repeats && item.type === 'group' ? (indices[item.within.length] ?? 0) : 0];
  if (!entry) return undefined;
  const [at, found] = entry;
  const step = parent?.isQuestion ? `answer[${nth}].item[${at}]` : `item[${at}]`;
  return { path: above.path ? `${above.path}.${step}` : step, found };
}

/** The result of an expression as values of this item; anything that the item cannot hold is left out. */
function valuesFrom(found: readonly unknown[], item: FormItem): Value[] {
  const place: Pick<VisibleItem, 'item' | 'key'> = { item, key: keyOf(item, []) };
  const kinds = new Set([
    'wrong_kind',
    'not_a_number',
    'not_a_whole_number',
    'not_a_date',
    'not_a_date_time',
    'not_a_time',
    'not_an_option',
  ]);
  const values = found
    .map((one) => valueFrom(one, item))
    .filter((value) => value !== undefined)
    .filter((value) => !problemsOfAnswer(place, [value]).some(({ code }) => kinds.has(code)));
  return item.repeats ? values : values.slice(0, 1);
}

function valueFrom(found: unknown, item: FormItem): Value | undefined {
  if (item.options.length > 0) {
    const named =
      optionFor(item.options, found) ??
      (typeof found === 'string' ? optionFor(item.options, { code: found }) : undefined);
    return named?.value ?? plainCoding(found as Value);
  }
  if (item.type === 'quantity' && typeof found === 'number') {
    const { system, code, display } = item.units[0] ?? {};
    return { value: found, ...(display && { unit: display }), ...(system && { system }), ...(code && { code }) };
  }
  if ((item.type === 'string' || item.type === 'text') && typeof found === 'number') return String(found);
  if (typeof found === 'bigint') return Number(found);
  return found === null || found === undefined ? undefined : plainCoding(found as Value);
}

/** A coding that was copied from another answer comes without that option's extensions. */
function plainCoding(value: Value): Value {
  if (typeof value !== 'object' || !('extension' in value)) return value;
  const { extension: _, ...plain } = value;
  return plain;
}
