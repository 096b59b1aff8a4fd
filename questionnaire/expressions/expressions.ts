import { constraintsOf } from '#questionnaire/checking/constraints.ts';
import { evaluate, type EvaluationContext } from '#questionnaire/evaluation.ts';
import { expressionFlaw, ResultTooLarge } from './expression-limits.ts';
import { expressionOf, extensionOf, extensionsOf, urls } from '#questionnaire/extensions.ts';
import { enabledItems } from '#questionnaire/visible-items.ts';
import { formOf, type Form } from '#questionnaire/form.ts';
import type { FormItem } from '#questionnaire/form-item.ts';
import type { FhirElement, Questionnaire } from '#questionnaire/questionnaire.ts';
import type { Finding, FindingCode } from '#questionnaire/loading/findings.ts';
import type { Answers, Value } from '#questionnaire/values.ts';
import { createCalculator, EndlessCalculation } from './calculator.ts';
import { evaluatorOf, type OnFailure } from './evaluate-at.ts';
import type { Expressions } from './expression-library.ts';
import { costliestWhenFilled } from './filled-cost.ts';
import { togglesOf } from './offered-options.ts';
import { expressionResponse } from './response.ts';
import { isUnfit, UnfitResult, valuesFrom } from './result-values.ts';

/** Does the questionnaire calculate? Then call `settleCalculations` before anything else looks at its answers. */
export function needsExpressions(questionnaire: Questionnaire): boolean {
  return formOf(questionnaire).usesExpressions;
}

export interface CalculationResult {
  answers: Answers;
  /** Pass it to everything that looks at these answers: it has the items that expressions enable. */
  setting: EvaluationContext;
  /** LinkIds of items whose expression was not understood, is endless, or has a result that is too large or that the item cannot hold. */
  failed: string[];
  /** A result was too large, so these answers are not what the questionnaire calculates. */
  isTooLarge: boolean;
}

/**
 * Evaluates calculated values and conditions until nothing changes any more. The result of a calculation replaces any answer, unless a
 * person overwrote it: the server calculates again and does not trust the phone. Without a result a person may answer, unless the item is
 * read-only or hidden.
 */
export function settleCalculations(
  questionnaire: Questionnaire,
  answers: Answers,
  expressions: Expressions,
  setting: EvaluationContext = {},
): CalculationResult {
  const { failed, onFailure } = noteFailures();
  const settled = createCalculator(questionnaire, expressions, setting, onFailure).settle(answers);
  return {
    ...settled,
    failed: [...failed.keys()],
    isTooLarge: [...failed.values()].some(({ error }) => error instanceof ResultTooLarge),
  };
}

/** The first expression of each item that failed, by linkId; '' is the questionnaire itself. */
type FailedExpressions = Map<string, { expression: string; error: unknown }>;

function noteFailures() {
  const failed: FailedExpressions = new Map();
  const onFailure: OnFailure = (owner, expression, error) => {
    const linkId = owner?.linkId ?? '';
    if (!failed.has(linkId)) failed.set(linkId, { expression, error });
  };
  return { failed, onFailure };
}

/** An expression of a form, and what it is for. */
export interface FormExpression {
  /** Undefined if it belongs to the questionnaire itself. */
  item: FormItem | undefined;
  kind: 'variable' | 'calculated' | 'enabledBy' | 'initialBy' | 'constraint' | 'offer';
  expression: string;
}

/** Every expression of a form. */
export function expressionsIn({ questionnaire, all }: Form): FormExpression[] {
  const variablesOf = (owner: FhirElement) =>
    extensionsOf(owner, urls.variable).map((extension) => expressionOf(extension)?.expression);
  return [undefined, ...all].flatMap((item) => {
    const own = variablesOf(item?.source ?? questionnaire).map((expression) => ({
      kind: 'variable' as const,
      expression,
    }));
    const others = (['calculated', 'enabledBy', 'initialBy'] as const).map((kind) => ({
      kind,
      expression: item?.[kind],
    }));
    const constraints = constraintsOf(item?.source ?? questionnaire).map(({ expression }) => ({
      kind: 'constraint' as const,
      expression,
    }));
    const offers = item ? offerExpressionsOf(item).map((expression) => ({ kind: 'offer' as const, expression })) : [];
    return [...own, ...others, ...constraints, ...offers].flatMap(({ kind, expression }) =>
      expression === undefined ? [] : [{ item, kind, expression }],
    );
  });
}

const offerExpressionsOf = (item: FormItem): (string | undefined)[] => [
  expressionOf(extensionOf(item.source, urls.answersBy))?.expression,
  expressionOf(extensionOf(item.source, urls.candidatesBy))?.expression,
  ...togglesOf(item).map(({ expression }) => expression),
];

/**
 * What `checkQuestionnaire` cannot see without the library: expressions that are not understood, fail or are endless. A calculation that
 * fails leaves its item to the patient, so it is a warning; a condition that fails would hide its item from everybody.
 */
export function checkExpressions(questionnaire: Questionnaire, expressions: Expressions): Finding[] {
  const findings = new Map<string, Finding>();
  const form = formOf(questionnaire);
  const add = (code: FindingCode, severity: Finding['severity'], linkId: string, expression: string) => {
    const detail = expression.slice(0, 200);
    if (!findings.has(linkId)) findings.set(linkId, { code, severity, place: '', linkId, detail, expression: detail });
  };
  const conditions = new Set<string>();
  const constraints = new Set<string>();
  for (const { item, kind, expression } of expressionsIn(form)) {
    if (kind === 'enabledBy') conditions.add(expression);
    if (kind === 'constraint') constraints.add(expression);
    const isEvaluated = !expressionFlaw(expression) && expressions.isUnderstood(expression);
    if (!isEvaluated && kind === 'constraint') add('constraint_not_checked', 'warning', item?.linkId ?? '', expression);
    else if (!isEvaluated) add('expression_not_understood', 'error', item?.linkId ?? '', expression);
  }
  const { failed, onFailure } = noteFailures();
  createCalculator(questionnaire, expressions, {}, onFailure).settle({});
  // A constraint of a question is only checked once it is answered.
  const look = evaluatorOf(questionnaire, expressionResponse(questionnaire, {}, {}), expressions, {}, onFailure);
  for (const { item, kind, expression } of expressionsIn(form)) {
    const isKnown = findings.has(item?.linkId ?? '');
    if (kind === 'constraint' && !isKnown) look(item, expression, item?.within.map(() => 0) ?? [], 'item');
  }
  evaluateInitial(questionnaire, {}, expressions, {}, onFailure);
  for (const [linkId, { expression, error }] of failed) {
    const isOf = { isConstraint: constraints.has(expression), isCondition: conditions.has(expression) };
    add(...failureOf(error, isOf), linkId, expression);
  }
  const isFailing = [...findings.values()].some(({ severity }) => severity === 'error');
  const costliest = isFailing ? undefined : costliestWhenFilled(questionnaire, expressions);
  const owner = expressionsIn(form).find(({ expression }) => expression === costliest);
  if (costliest !== undefined) add('costly_when_filled', 'warning', owner?.item?.linkId ?? '', costliest);
  return [...findings.values()];
}

function failureOf(
  error: unknown,
  { isConstraint, isCondition }: { isConstraint: boolean; isCondition: boolean },
): [FindingCode, Finding['severity']] {
  if (error instanceof ResultTooLarge) return ['expression_result_too_large', 'error'];
  if (error instanceof EndlessCalculation) return ['expression_not_understood', 'error'];
  if (error instanceof UnfitResult) return ['expression_result_unfit', 'warning'];
  if (isConstraint) return ['constraint_not_checked', 'warning'];
  return ['expression_fails', isCondition ? 'error' : 'warning'];
}

/** Adds the results of `initialExpression`s where there is no answer yet: once, when a form is started. */
export function startExpressions(
  questionnaire: Questionnaire,
  answers: Answers,
  expressions: Expressions,
  setting: EvaluationContext = {},
): Answers {
  return evaluateInitial(questionnaire, answers, expressions, setting, () => undefined);
}

function evaluateInitial(
  questionnaire: Questionnaire,
  answers: Answers,
  expressions: Expressions,
  setting: EvaluationContext,
  onFailure: OnFailure,
): Answers {
  const look = evaluatorOf(
    questionnaire,
    expressionResponse(questionnaire, answers, setting),
    expressions,
    setting,
    onFailure,
  );
  const started: Record<string, readonly Value[]> = { ...answers };
  for (const { item, key, indices } of enabledItems(evaluate(questionnaire, answers, setting), false)) {
    if (item.initialBy === undefined || !item.isQuestion || started[key]) continue;
    const found = look(item, item.initialBy, indices);
    const values = valuesFrom(found, item);
    if (isUnfit(found, values)) onFailure(item, item.initialBy, new UnfitResult());
    if (values.length > 0) started[key] = values;
  }
  return started;
}
