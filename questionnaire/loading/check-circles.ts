import { maxConditionDepth } from '#questionnaire/evaluation.ts';
import type { Form } from '#questionnaire/form.ts';
import type { FormItem } from '#questionnaire/form-item.ts';
import type { ReportItem } from './report-item.ts';

/** Reports items that wait for each other, directly or through others, and chains of waiting items that are too long to evaluate. */
export function checkCircles(form: Form, report: ReportItem): void {
  const { circles, chainLengths } = followConditions(form);
  for (const { items, end } of circles) {
    const linkIds = [...items, end].map(({ linkId }) => linkId);
    report(end, 'conditions_in_a_circle', 'error', 'enableWhen', linkIds.join(' → '));
  }
  for (const [item, length] of chainLengths) {
    if (length <= maxConditionDepth) continue;
    return report(item, 'too_deep', 'error', 'enableWhen', String(maxConditionDepth));
  }
}

interface Circle {
  items: FormItem[];
  /** The item at which the search came full circle. */
  end: FormItem;
}

/** Items whose answers decide whether this item is asked. */
function itemsBefore(item: FormItem, { byLinkId }: Form): FormItem[] {
  const questions = item.conditions.map(({ question }) => byLinkId.get(question));
  return [
    ...questions.filter((question) => question !== undefined && question !== item),
    ...(item.parent ? [item.parent] : []),
  ] as FormItem[];
}

/**
 * A depth-first search from every item. It keeps its own stack, because a questionnaire may chain 3,000 items. A circle that shares an item
 * with an earlier one is left out.
 */
function followConditions(form: Form): { circles: Circle[]; chainLengths: Map<FormItem, number> } {
  const circles: Circle[] = [];
  const chainLengths = new Map<FormItem, number>();
  const inCircle = new Set<FormItem>();
  for (const start of form.all) {
    const path: { item: FormItem; rest: FormItem[]; longest: number }[] = [];
    const onPath = new Set<FormItem>();
    const enter = (item: FormItem) => {
      path.push({ item, rest: itemsBefore(item, form), longest: 0 });
      onPath.add(item);
    };
    if (!chainLengths.has(start)) enter(start);
    for (let top = path.at(-1); top; top = path.at(-1)) {
      const next = top.rest.pop();
      if (!next) {
        path.pop();
        onPath.delete(top.item);
        chainLengths.set(top.item, top.longest + 1);
        const above = path.at(-1);
        if (above) above.longest = Math.max(above.longest, top.longest + 1);
      } else if (onPath.has(next)) {
        const items = path.slice(path.findIndex(({ item }) => item === next)).map(({ item }) => item);
        if (!items.some((item) => inCircle.has(item))) circles.push({ items, end: next });
        for (const item of items) inCircle.add(item);
      } else if (chainLengths.has(next)) top.longest = Math.max(top.longest, chainLengths.get(next) ?? 0);
      else enter(next);
    }
  }
  return { circles, chainLengths };
}
