import { formOf, type Condition, type Form, type FormItem } from './form.ts';
import type { Questionnaire } from './questionnaire.ts';
import { keyOf, mostRepeats, repetitionsIn, type Indices } from './positions.ts';
import { compare, isSame, saidIn, type Answers, type Value } from './values.ts';

/** What the rules need beyond the answers. */
export interface Setting {
  /** The office's day, YYYY-MM-DD: limits such as "not in the future" hold only when it is given. */
  today?: string;
  /** What `enableWhenExpression`s came to, by key (`settle` in expressions.ts). Until they are known such items are shown. */
  decided?: ReadonlyMap<string, boolean>;
}

/** How many items may hang on each other, one after the other; `check` refuses more. */
export const longestChain = 300;

/** One look at a questionnaire with its answers; every rule asks it, each condition is worked out once. */
export interface Evaluation {
  form: Form;
  answers: Answers;
  setting: Setting;
  /** What was said there; nothing where the item is not asked. */
  said(item: FormItem, indices: Indices): readonly Value[];
  /** Is it asked: do its own conditions and those of everything around it hold? */
  isEnabled(item: FormItem, indices: Indices): boolean;
  /** How many times a repeating group is there; for a repeating question with follow-ups, how many of its answers have them. */
  countOf(item: FormItem, indices: Indices): number;
}

export function evaluate(questionnaire: Questionnaire, answers: Answers, setting: Setting = {}): Evaluation {
  const form = formOf(questionnaire);
  const known = new Map<string, boolean>();
  const ofAllRepetitions = new Map<string, readonly Value[]>();
  let repetitions: ReadonlyMap<string, number> | undefined;
  let chain = 0;

  function said(item: FormItem, indices: Indices): readonly Value[] {
    return isEnabled(item, indices) ? raw(item, indices) : [];
  }

  function raw(item: FormItem, indices: Indices): readonly Value[] {
    if (!item.isQuestion) return [];
    const key = keyOf(item, indices);
    const values = Object.hasOwn(answers, key) ? saidIn(answers[key]) : [];
    const most = item.repeats && item.children.length > 0 ? countOf(item, indices) : mostRepeats;
    return values.length > most ? values.slice(0, most) : values;
  }

  function isEnabled(item: FormItem, indices: Indices): boolean {
    const key = keyOf(item, indices);
    const before = known.get(key);
    if (before !== undefined) return before;
    if (chain > longestChain) return true;
    // A circle of conditions ends here: while an item is being worked out it counts as asked.
    known.set(key, true);
    chain += 1;
    const enabled = isReached(item, indices) && holds(item, indices, key);
    chain -= 1;
    known.set(key, enabled);
    return enabled;
  }

  /** Its parent is asked, and where the parent is a question it has the answer this one follows up. */
  function isReached(item: FormItem, indices: Indices): boolean {
    const { parent } = item;
    if (!parent) return true;
    const above = indices.slice(0, parent.within.length);
    if (!isEnabled(parent, above)) return false;
    if (!parent.isQuestion || item.type === 'display') return true;
    const count = raw(parent, above).length;
    return parent.repeats ? (indices[parent.within.length] ?? 0) < count : count > 0;
  }

  function holds(item: FormItem, indices: Indices, key: string): boolean {
    if (item.enabledBy && setting.decided?.get(key) === false) return false;
    if (item.conditions.length === 0) return true;
    const test = (condition: Condition) => isMet(condition, item, indices);
    return item.behavior === 'any' ? item.conditions.some(test) : item.conditions.every(test);
  }

  function isMet(condition: Condition, item: FormItem, indices: Indices): boolean {
    const question = form.byLinkId.get(condition.question);
    return meets(question ? near(question, item, indices) : [], condition);
  }

  /** The answers nearest to where the item stands: of the same repetition where they share one, of every repetition where not. */
  function near(question: FormItem, item: FormItem, indices: Indices): readonly Value[] {
    let shared = 0;
    while (shared < question.within.length && question.within[shared] === item.within[shared]) shared += 1;
    const from = indices.slice(0, shared);
    if (shared === question.within.length) return said(question, from);
    // Looked up once: each of 200 repetitions may have a condition on all answers of another group.
    const key = keyOf(question, from);
    let values = ofAllRepetitions.get(key);
    if (!values) {
      values = everywhere(question, from).flatMap((place) => said(question, place));
      ofAllRepetitions.set(key, values);
    }
    return values;
  }

  function everywhere(question: FormItem, from: Indices): Indices[] {
    let places: Indices[] = [from];
    for (const around of question.within.slice(from.length)) {
      places = places.flatMap((place) => {
        const count = around.isQuestion ? raw(around, place).length : countOf(around, place);
        return Array.from({ length: count }, (_, i) => [...place, i]);
      });
      if (places.length > 1000) places.length = 1000;
    }
    return places;
  }

  function countOf(item: FormItem, indices: Indices): number {
    repetitions ??= repetitionsIn(form, answers).counts;
    return repetitions.get(keyOf(item, indices)) ?? 1;
  }

  return { form, answers, setting, said, isEnabled, countOf };
}

/** Does what was said meet the condition, as FHIR defines its operator? (`!=`: nothing said equals it, also when nothing was said.) */
export function meets(
  said: readonly Value[],
  { operator, expected }: Pick<Condition, 'operator' | 'expected'>,
): boolean {
  switch (operator) {
    case 'exists':
      return said.length > 0 === (expected !== false);
    case '=':
      return said.some((value) => isEqual(value, expected));
    case '!=':
      return !said.some((value) => isEqual(value, expected));
    case '>':
      return said.some((value) => (compare(value, expected) ?? 0) > 0);
    case '<':
      return said.some((value) => (compare(value, expected) ?? 0) < 0);
    case '>=':
      return said.some((value) => (compare(value, expected) ?? -1) >= 0);
    case '<=':
      return said.some((value) => (compare(value, expected) ?? 1) <= 0);
  }
}

function isEqual(value: Value, expected: Value | undefined): boolean {
  if (isSame(value, expected)) return true;
  if (typeof value === 'string' && typeof expected === 'string' && /^\d\d/.test(value))
    return compare(value, expected) === 0;
  // A choice of plain words or numbers may be asked about as a coding, and the other way round.
  if (typeof value === 'string' && typeof expected === 'object' && 'code' in expected) return value === expected.code;
  return false;
}
