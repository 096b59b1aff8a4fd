import type { BrokenConstraint } from './checking/broken-constraint.ts';
import { formOf, type Form } from './form.ts';
import type { Condition, FormItem } from './form-item.ts';
import type { Operator, Questionnaire } from './questionnaire.ts';
import { limitOn } from './value-limits.ts';
import type { LaunchContext } from './expressions/launch-context.ts';
import { keyOf, maxRepetitions, repetitionsIn, type Indices } from './positions.ts';
import { compareValues, isCoding, isSameValue, filledValues, type Answers, type Value } from './values.ts';

/** What the rules need beyond the answers. */
export interface EvaluationContext {
  /** The office's day, YYYY-MM-DD. Without it limits such as "not in the future" are not checked. */
  today?: string;
  /** The office's time zone, for `now()` and `timeOfDay()` in expressions. */
  timeZone?: string | undefined;
  /** When the form was filed, an instant; without it `now()` is the present. */
  now?: string | undefined;
  /** The results of `enableWhenExpression`s, by key (`settleCalculations`). Items without a result yet are shown. */
  decided?: ReadonlyMap<string, boolean>;
  /** What expressions may read about the visit, as far as the form declares it. */
  launch?: LaunchContext | undefined;
  /** The constraints that the answers break (`settleCalculations`), in the order of the form. */
  broken?: readonly BrokenConstraint[];
  /** The calculations that failed, or whose result their items cannot hold (`settleCalculations`), by the key of their answers. */
  uncalculated?: ReadonlySet<string>;
  /** The items that offer other answers than the questionnaire lists (`settleCalculations`), by the key of their answers. */
  offered?: ReadonlyMap<string, FormItem>;
}

/** How many items may depend on each other in a chain; `checkQuestionnaire` refuses more. */
export const maxConditionDepth = 300;

/** A questionnaire with one set of answers. Each condition is evaluated once, however many rules use it. */
export interface Evaluation {
  form: Form;
  answers: Answers;
  setting: EvaluationContext;
  /** The answers to that item; none if it is not asked. */
  answersTo(item: FormItem, indices: Indices): readonly Value[];
  /** Whether the item is asked: its own conditions and those of everything around it hold. */
  isEnabled(item: FormItem, indices: Indices): boolean;
  /** How many times a repeating group is there; for a repeating question with follow-ups, how many of its answers have them. */
  countOf(item: FormItem, indices: Indices): number;
}

export function evaluate(questionnaire: Questionnaire, answers: Answers, setting: EvaluationContext = {}): Evaluation {
  const form = formOf(questionnaire);
  const known = new Map<string, boolean>();
  const ofAllRepetitions = new Map<string, readonly Value[]>();
  let repetitions: ReadonlyMap<string, number> | undefined;
  let chain = 0;

  function answersTo(item: FormItem, indices: Indices): readonly Value[] {
    return isEnabled(item, indices) ? raw(item, indices) : [];
  }

  function raw(item: FormItem, indices: Indices): readonly Value[] {
    if (!item.isQuestion) return [];
    const key = keyOf(item, indices);
    const values = Object.hasOwn(answers, key) ? filledValues(answers[key]) : [];
    const most = item.repeats && item.children.length > 0 ? countOf(item, indices) : maxRepetitions;
    return values.length > most ? values.slice(0, most) : values;
  }

  function isEnabled(item: FormItem, indices: Indices): boolean {
    const key = keyOf(item, indices);
    const before = known.get(key);
    if (before !== undefined) return before;
    if (chain > maxConditionDepth) return true;
    // Ends a circle of conditions: an item that is being evaluated counts as asked.
    known.set(key, true);
    chain += 1;
    const enabled = isReached(item, indices) && holds(item, indices, key);
    chain -= 1;
    known.set(key, enabled);
    return enabled;
  }

  /** Its parent is asked, and if the parent is a question, it has the answer that this item follows up. */
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
    const expected = limitOn(condition.expected, setting.today);
    if (expected === undefined && condition.expected !== undefined) return false;
    return meetsCondition(question ? near(question, item, indices) : [], { ...condition, expected });
  }

  /** The answers that the item's conditions look at: those of the same repetition if both are in one, else those of every repetition. */
  function near(question: FormItem, item: FormItem, indices: Indices): readonly Value[] {
    let shared = 0;
    while (shared < question.within.length && question.within[shared] === item.within[shared]) shared += 1;
    const from = indices.slice(0, shared);
    if (shared === question.within.length) return answersTo(question, from);
    // Looked up once: each of 200 repetitions may have a condition on all answers of another group.
    const key = keyOf(question, from);
    let values = ofAllRepetitions.get(key);
    if (!values) {
      values = everywhere(question, from).flatMap((place) => answersTo(question, place));
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

  return { form, answers, setting, answersTo, isEnabled, countOf };
}

/** Do the answers meet the condition, as FHIR defines its operator? (`!=` holds if no answer equals it, so also without answers.) */
export function meetsCondition(
  answers: readonly Value[],
  { operator, expected }: { operator: Operator; expected: Value | undefined },
): boolean {
  switch (operator) {
    case 'exists':
      return answers.length > 0 === (expected !== false);
    case '=':
      return answers.some((value) => isEqual(value, expected));
    case '!=':
      return !answers.some((value) => isEqual(value, expected));
    case '>':
      return answers.some((value) => (compareValues(value, expected) ?? 0) > 0);
    case '<':
      return answers.some((value) => (compareValues(value, expected) ?? 0) < 0);
    case '>=':
      return answers.some((value) => (compareValues(value, expected) ?? -1) >= 0);
    case '<=':
      return answers.some((value) => (compareValues(value, expected) ?? 1) <= 0);
  }
}

function isEqual(value: Value, expected: Value | undefined): boolean {
  if (isSameValue(value, expected)) return true;
  if (typeof value === 'string' && typeof expected === 'string' && /^\d\d/.test(value))
    return compareValues(value, expected) === 0;
  // A condition may name a text option by its code, and a typed answer by its text.
  if (typeof value === 'string' && isCoding(expected)) return value === expected.code || value === expected.display;
  return false;
}
