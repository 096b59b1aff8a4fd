import type { Form } from './form.ts';
import type { FormItem } from './form-item.ts';
import { limits } from './questionnaire.ts';
import { filledValues, type Answers } from './values.ts';

/** An item's index in each repeating item around it, outermost first. */
export type Indices = readonly number[];

/** How often a repeating group or question may be there at most, as long as the whole form stays within `limits.positions`. */
export const maxRepetitions = 200;

/** The key of an item's answers: its linkId, and inside repeating items `linkId#0.2`. */
export function keyOf(item: FormItem, indices: Indices): string {
  const name = item.linkId.includes('#') ? item.linkId.replaceAll('#', '##') : item.linkId;
  return indices.length === 0 ? name : `${name}#${indices.join('.')}`;
}

/** The key of the answers to an item, whatever repetition they are in: `keyOf` without indices. */
export const keyWithoutPlace = (key: string): string => key.replace(/(?<!#)((?:##)*)#[\d.]+$/, '$1');

/** How often each repeating item is there with these answers, by key, and the first item whose repetitions did not all fit. */
export interface Repetitions {
  counts: ReadonlyMap<string, number>;
  cut: FormItem | undefined;
}

/**
 * Shares one budget of positions (`limits.positions`) among all repeating items of a form, in the order of the form. Without it four nested
 * groups of 200 repetitions each would be 1.6 billion positions. Depends on nothing but questionnaire and answers, so that the phone, the
 * server and the PDF cut the same repetitions.
 */
export function repetitionsIn(form: Form, answers: Answers): Repetitions {
  const counts = new Map<string, number>();
  let cut: FormItem | undefined;
  // One repetition of everything is always there.
  let left = Math.max(limits.positions - form.all.length, 0);

  function walk(items: readonly FormItem[], indices: Indices): void {
    for (const item of items) {
      if (!item.hasRepetitions) continue;
      const isRepeated = item.repeats && item.children.length > 0;
      if (!isRepeated) {
        walk(item.children, indices);
        continue;
      }
      const key = keyOf(item, indices);
      const wanted = Math.min(wantedOf(item, Object.hasOwn(answers, key) ? answers[key] : undefined), maxRepetitions);
      const count = Math.min(wanted, 1 + Math.floor(left / item.size));
      if (count < wanted) cut ??= item;
      left -= (count - 1) * item.size;
      if (count > 1) counts.set(key, count);
      if (item.children.some((child) => child.hasRepetitions))
        for (let i = 0; i < count; i++) walk(item.children, [...indices, i]);
    }
  }
  walk(form.items, []);
  return { counts, cut };
}

function wantedOf(item: FormItem, values: Answers[string] | undefined): number {
  if (item.isQuestion) return Math.max(filledValues(values).length, 1);
  const count = values?.[0];
  return Math.max(typeof count === 'number' && Number.isInteger(count) ? count : 1, item.minOccurs, 1);
}
