import { keyOf } from './positions.ts';
import type { VisibleItem } from './visible-items.ts';
import { isEditable, type FormItem } from './form-item.ts';
import { optionFor } from './options.ts';
import { overwrittenKey, withOverwritten } from './overwritten.ts';
import { isSameValue, filledValues, type Answers, type Value } from './values.ts';

/**
 * The answers after a person changed one item. A calculation is marked as overwritten. Choosing 'None of these' clears the rest, and choosing another option clears it. Follow-ups of a
 * question with several answers stay with their answer.
 */
export function withAnswer(
  answers: Answers,
  place: Pick<VisibleItem, 'item' | 'key' | 'indices'>,
  values: readonly Value[],
): Answers {
  const { item, key } = place;
  const before = filledValues(Object.hasOwn(answers, key) ? answers[key] : undefined);
  const chosen = item.options.some(({ exclusive }) => exclusive) ? withoutExcluded(item, before, values) : values;
  const chosenValues = (item.repeats ? chosen : chosen.slice(-1)).map((value) => storedValue(item, value));
  const moved =
    item.repeats && item.children.length > 0
      ? followUpsMoved(answers, place, before, filledValues(chosenValues))
      : answers;
  const marked = item.calculated !== undefined && isEditable(item) ? withOverwritten(moved, key, true) : moved;
  const { [key]: _, ...others } = marked;
  return chosenValues.length === 0 ? others : { ...others, [key]: chosenValues };
}

/** A text typed for a choice without options is stored as FHIR has it: a coding with only a display text. */
function storedValue({ type, options }: FormItem, value: Value): Value {
  return type === 'choice' && options.length === 0 && typeof value === 'string' ? { display: value } : value;
}

function withoutExcluded(item: FormItem, before: readonly Value[], values: readonly Value[]): readonly Value[] {
  const isExclusive = (value: Value) => optionFor(item.options, value)?.exclusive === true;
  const added = values.find((value) => isExclusive(value) && !before.some((one) => isSameValue(one, value)));
  if (added !== undefined) return [added];
  const rest = values.filter((value) => !isExclusive(value));
  return rest.length > 0 ? rest : values;
}

function followUpsMoved(
  answers: Answers,
  place: Pick<VisibleItem, 'item' | 'indices'>,
  before: readonly Value[],
  after: readonly Value[],
): Answers {
  return withRepetitionsMoved(answers, place, (index) => {
    const value = before[index];
    const at = value === undefined ? -1 : after.findIndex((one) => isSameValue(one, value));
    if (at >= 0) return at;
    // Not gone but written anew, letter by letter.
    return before.length === after.length ? index : undefined;
  });
}

/** The answers with everything below a repeating item moved to where its repetition went; undefined: it is gone. */
export function withRepetitionsMoved(
  answers: Answers,
  { item, indices }: Pick<VisibleItem, 'item' | 'indices'>,
  to: (repetition: number) => number | undefined,
): Answers {
  const depth = indices.length;
  const starts = below(item)
    .filter((one) => one.within[depth]?.linkId === item.linkId)
    .map((one) => keyOf(one, [0]).slice(0, -1));
  const keyAfter = (key: string): string | undefined => {
    const start = starts.find((one) => key.startsWith(one) && /^[\d.]+$/.test(key.slice(one.length)));
    const place = start === undefined ? [] : key.slice(start.length).split('.').map(Number);
    const isHere = start !== undefined && indices.every((index, i) => place[i] === index);
    if (!isHere) return key;
    const at = to(place[depth] ?? 0);
    return at === undefined ? undefined : start + place.with(depth, at).join('.');
  };
  const moved: Record<string, readonly Value[]> = {};
  for (const [key, values] of Object.entries(answers)) {
    const after = keyAfter(key);
    if (after !== undefined) moved[after] = values;
  }
  const marks = answers[overwrittenKey]?.map((key) => keyAfter(String(key))).filter((key) => key !== undefined);
  if (marks) moved[overwrittenKey] = marks;
  return moved;
}

const below = (item: FormItem): FormItem[] => item.children.flatMap((child) => [child, ...below(child)]);
