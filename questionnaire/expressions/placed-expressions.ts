import { evaluate, type EvaluationContext } from '#questionnaire/evaluation.ts';
import { isEditable, type FormItem } from '#questionnaire/form-item.ts';
import { isOverwritten } from '#questionnaire/overwritten.ts';
import type { Indices } from '#questionnaire/positions.ts';
import type { Questionnaire } from '#questionnaire/questionnaire.ts';
import type { Answers } from '#questionnaire/values.ts';
import { enabledItems } from '#questionnaire/visible-items.ts';
import { dependencyOf, type Dependency } from './dependencies.ts';

/** One expression at one place of the form. */
export interface PlacedExpression {
  id: string;
  kind: 'calculation' | 'condition';
  expression: string;
  item: FormItem;
  key: string;
  indices: Indices;
  dependency: Dependency;
}

/** Every expression of the items that are asked, by its id, without calculations that a person overwrote. Conditions by expressions are looked at even where they do not hold. */
export function placedExpressions(
  questionnaire: Questionnaire,
  answers: Answers,
  setting: EvaluationContext,
): Map<string, PlacedExpression> {
  const here = new Map<string, PlacedExpression>();
  const add = (kind: PlacedExpression['kind'], expression: string, item: FormItem, key: string, indices: Indices) => {
    const dependency = dependencyOf(questionnaire, item, kind, expression);
    const id = `${kind} ${key}`;
    here.set(id, { id, kind, expression, item, key, indices, dependency });
  };
  const everything = evaluate(questionnaire, answers, { ...setting, decided: new Map() });
  for (const { item, key, indices, repetition } of enabledItems(everything, false)) {
    if (item.enabledBy !== undefined && (repetition ?? 0) === 0) add('condition', item.enabledBy, item, key, indices);
    const isByHand = isEditable(item) && isOverwritten(answers, key);
    if (item.calculated !== undefined && item.isQuestion && !isByHand)
      add('calculation', item.calculated, item, key, indices);
  }
  return here;
}

/** The expressions that read nothing that other pending ones may still change; all of them if they wait for each other. */
export function readyIn(pending: ReadonlyMap<string, PlacedExpression>): PlacedExpression[] {
  const all = [...pending.values()];
  const writers = new Map<string, number>();
  for (const { dependency } of all)
    for (const linkId of dependency.writes) writers.set(linkId, (writers.get(linkId) ?? 0) + 1);
  const ready = all.filter(({ dependency: { reads, writes } }) => {
    const isFree = (linkId: string) => (writers.get(linkId) ?? 0) <= (writes.has(linkId) ? 1 : 0);
    if (reads.all) return all.length === 1;
    if (![...reads.linkIds].every(isFree)) return false;
    return [...reads.prefixes].every((prefix) =>
      [...writers.keys()].every((linkId) => !linkId.startsWith(prefix) || isFree(linkId)),
    );
  });
  return ready.length > 0 ? ready : all;
}
