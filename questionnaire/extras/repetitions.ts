import { withRepetitionsMoved } from '#questionnaire/set-answer.ts';
import { keyOf, maxRepetitions } from '#questionnaire/positions.ts';
import type { VisibleItem } from '#questionnaire/visible-items.ts';
import type { FormItem } from '#questionnaire/form-item.ts';
import type { Answers, Value } from '#questionnaire/values.ts';

/** The answers with one more repetition of that group, empty or with its initial values; `count` is how many there are. */
export function withRepetition(answers: Answers, group: VisibleItem, count: number): Answers {
  const wanted = Math.min(count + 1, group.item.maxOccurs, maxRepetitions);
  const added: Record<string, readonly Value[]> = {};
  const start = (item: FormItem) => {
    if (item.initial.length > 0 && item.within.length === group.indices.length + 1)
      added[keyOf(item, [...group.indices, count])] = item.repeats ? item.initial : item.initial.slice(0, 1);
    item.children.forEach(start);
  };
  if (wanted > count) group.item.children.forEach(start);
  return { ...answers, ...added, [group.key]: [wanted] };
}

/** The answers without one repetition of that group: those after it move up with all they hold. The last one is only emptied. */
export function withoutRepetition(answers: Answers, group: VisibleItem, repetition: number, count: number): Answers {
  const moved = withRepetitionsMoved(answers, group, (index) =>
    index === repetition ? undefined : index > repetition ? index - 1 : index,
  );
  return { ...moved, [group.key]: [Math.max(count - 1, 1)] };
}
