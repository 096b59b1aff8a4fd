import type { EvaluationContext } from '#questionnaire/evaluation.ts';
import { formOf } from '#questionnaire/form.ts';
import type { FormItem } from '#questionnaire/form-item.ts';
import { keyOf, type Indices } from '#questionnaire/positions.ts';
import type { Questionnaire, QuestionnaireResponse, ResponseItem } from '#questionnaire/questionnaire.ts';
import type { ExpressionContext, Expressions } from './expression-library.ts';
import { namesOf, type NamedExpression } from './names.ts';
import { readExpression } from './read-expression.ts';

/** The result of an item's expression; none if it fails. */
export type EvaluateAt = (
  item: FormItem | undefined,
  expression: string,
  indices: Indices,
  /** What the expression begins at: what is around the item, or the item itself, which is empty without an answer. */
  context?: 'around' | 'item',
) => unknown[];

/** Takes note of an expression that failed; `owner` is the item it belongs to, undefined for the questionnaire itself. */
export type OnFailure = (owner: FormItem | undefined, expression: string, error: unknown) => void;

/** Evaluates expressions on one response. Variables are evaluated when an expression uses them, each once. */
export function evaluatorOf(
  questionnaire: Questionnaire,
  resource: QuestionnaireResponse,
  expressions: Expressions,
  setting: EvaluationContext,
  onFailure: OnFailure,
): EvaluateAt {
  const names = namesOf(formOf(questionnaire));
  const values = new Map<string, unknown>();

  function valueOf(found: NamedExpression, indices: Indices): unknown {
    const { owner, expression, position } = found;
    const place = owner ? keyOf(owner, indices.slice(0, owner.within.length + 1)) : '';
    const key = JSON.stringify([place, found.name, position === Infinity ? null : position]);
    if (values.has(key)) return values.get(key);
    // Ends a circle of variables.
    values.set(key, []);
    let value: unknown = [];
    try {
      const isCalculation = position === Infinity;
      const at = isCalculation ? pathOf(owner?.parent, indices) : pathOf(owner, indices);
      value = expressions.variable(questionnaire, expression, contextOf(owner, expression, indices, at, position));
    } catch (error) {
      onFailure(owner, expression, error);
    }
    values.set(key, value);
    return value;
  }

  const pathOf = (item: FormItem | undefined, indices: Indices) =>
    (item && pathTo(resource, item, indices)?.path) ?? '';

  function contextOf(
    item: FormItem | undefined,
    expression: string,
    indices: Indices,
    at: string,
    before = Infinity,
  ): ExpressionContext {
    const variables: Record<string, unknown> = {};
    for (const name of readExpression(expression).names) {
      const found = names.find(name, item, before);
      if (found) variables[name] = valueOf(found, indices);
      else if (setting.launch && Object.hasOwn(setting.launch, name)) variables[name] = setting.launch[name];
    }
    return { resource, at, variables, clock: setting, question: item?.source };
  }

  /** `{}` is FHIRPath for nothing. */
  const pathOfItself = (item: FormItem | undefined, indices: Indices) =>
    item ? (pathTo(resource, item, indices)?.path ?? '{}') : '';

  return (item, expression, indices, begin = 'around') => {
    try {
      const at = begin === 'item' ? pathOfItself(item, indices) : pathOf(item?.parent, indices);
      return expressions.evaluate(questionnaire, expression, contextOf(item, expression, indices, at));
    } catch (error) {
      onFailure(item, expression, error);
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
