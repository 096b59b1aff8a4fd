import { linkIdOf } from '#questionnaire/checking/problems.ts';
import { formOf } from '#questionnaire/form.ts';
import type { FormItem } from '#questionnaire/form-item.ts';
import type { Questionnaire } from '#questionnaire/questionnaire.ts';
import { changedAnswers } from '#questionnaire/visible-items.ts';
import type { Answers } from '#questionnaire/values.ts';
import { readsOf } from './names.ts';
import type { Reads } from './read-expression.ts';

/** What an item with an expression depends on, and what depends on its result. */
export interface Dependency {
  reads: Reads;
  /** The items whose content changes with the result, by linkId: the item and those around it; for a condition also those below. */
  writes: ReadonlySet<string>;
}

const dependenciesOfForms = new WeakMap<Questionnaire, Map<string, Dependency>>();

/** The dependency of an item's calculation or condition, found once for each form. */
export function dependencyOf(
  questionnaire: Questionnaire,
  item: FormItem,
  kind: 'calculation' | 'condition',
  expression: string,
): Dependency {
  let known = dependenciesOfForms.get(questionnaire);
  if (!known) dependenciesOfForms.set(questionnaire, (known = new Map()));
  const key = `${kind} ${item.linkId}`;
  let dependency = known.get(key);
  if (!dependency) {
    const writes = new Set(aroundOf(item));
    if (kind === 'condition') addBelow(item, writes);
    known.set(key, (dependency = { reads: readsOf(formOf(questionnaire), item, expression), writes }));
  }
  return dependency;
}

/** The linkIds of all items whose content differs: those of the changed answers and those around them. */
export const touchedBy = (questionnaire: Questionnaire, before: Answers, after: Answers): Set<string> =>
  touchedAt(questionnaire, changedAnswers(before, after));

/** The linkIds of the items with these answers and of those around them. */
export function touchedAt(questionnaire: Questionnaire, keys: readonly string[]): Set<string> {
  const { byLinkId } = formOf(questionnaire);
  const touched = new Set<string>();
  for (const key of keys) {
    const item = byLinkId.get(linkIdOf(key));
    for (const linkId of item ? aroundOf(item) : []) touched.add(linkId);
  }
  return touched;
}

/** Whether an expression may read one of these items. */
export function readsAny({ linkIds, prefixes, all }: Reads, items: ReadonlySet<string>): boolean {
  if (items.size === 0) return false;
  if (all) return true;
  for (const linkId of linkIds) if (items.has(linkId)) return true;
  for (const prefix of prefixes) for (const linkId of items) if (linkId.startsWith(prefix)) return true;
  return false;
}

function aroundOf(item: FormItem): string[] {
  return item.parent ? [item.linkId, ...aroundOf(item.parent)] : [item.linkId];
}

function addBelow({ children }: FormItem, linkIds: Set<string>): void {
  for (const child of children) {
    linkIds.add(child.linkId);
    addBelow(child, linkIds);
  }
}
