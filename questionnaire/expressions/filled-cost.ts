import { formOf } from '#questionnaire/form.ts';
import { canBeAnswered, type FormItem } from '#questionnaire/form-item.ts';
import { keyOf, type Indices } from '#questionnaire/positions.ts';
import type { Questionnaire } from '#questionnaire/questionnaire.ts';
import type { Answers, Value } from '#questionnaire/values.ts';
import { createCalculator } from './calculator.ts';
import type { OnFailure } from './evaluate-at.ts';
import type { Expressions } from './expression-library.ts';

/** Longer than this, and the form may be too slow to submit with more answers than the sample has. */
const budgetMs = 700;
const repetitionsOfGroups = 3;
const valuesOfQuestions = 20;
const mostAnswers = 2_000;

/**
 * The expression that takes the longest, if the calculations of the form, filled in with sample answers, take too long. Most expressions of an
 * empty form take no time, so how dear they are shows only once it is filled in.
 */
export function costliestWhenFilled(questionnaire: Questionnaire, expressions: Expressions): string | undefined {
  const costs = new Map<string, number>();
  const started = performance.now();
  const timed = <R>(expression: string, run: () => R): R => {
    const begun = performance.now();
    if (begun - started > budgetMs) throw new OutOfTime();
    try {
      return run();
    } finally {
      costs.set(expression, (costs.get(expression) ?? 0) + performance.now() - begun);
    }
  };
  const measured: Expressions = {
    ...expressions,
    evaluate: (form, expression, place) => timed(expression, () => expressions.evaluate(form, expression, place)),
    variable: (form, expression, place) => timed(expression, () => expressions.variable(form, expression, place)),
  };
  const stopInTime: OnFailure = (_owner, _expression, error) => {
    if (error instanceof OutOfTime) throw error;
  };
  try {
    createCalculator(questionnaire, measured, {}, stopInTime).settle(sampleAnswers(questionnaire));
    return undefined;
  } catch (error) {
    if (!(error instanceof OutOfTime)) throw error;
    return [...costs].toSorted(([, a], [, b]) => b - a)[0]?.[0];
  }
}

class OutOfTime extends Error {}

/** One answer to each question that a person can answer, several where several are taken. */
function sampleAnswers(questionnaire: Questionnaire): Answers {
  const answers: Record<string, readonly Value[]> = {};
  let count = 0;
  for (const item of formOf(questionnaire).all) {
    const isRepeatedGroup = item.type === 'group' && item.repeats;
    if (!isRepeatedGroup && !canBeAnswered(item)) continue;
    const values = isRepeatedGroup ? [Math.min(repetitionsOfGroups, item.maxOccurs)] : sampleValues(item);
    if (values.length === 0) continue;
    for (const indices of placesOf(item.within)) {
      if (++count > mostAnswers) return answers;
      answers[keyOf(item, indices)] = values;
    }
  }
  return answers;
}

/** The first repetitions of everything around an item. */
const placesOf = (within: readonly FormItem[]): Indices[] =>
  within
    .slice(0, 3)
    .reduce<Indices[]>(
      (places) => places.flatMap((place) => Array.from({ length: repetitionsOfGroups }, (_, i) => [...place, i])),
      [[]],
    );

function sampleValues(item: FormItem): Value[] {
  const most = item.repeats ? Math.min(item.maxOccurs, valuesOfQuestions) : 1;
  if (item.options.length > 0)
    return item.options
      .filter(({ exclusive }) => !exclusive)
      .slice(0, most)
      .map(({ value }) => value);
  return Array.from({ length: most }, (_, i) => sampleValue(item, i)).filter((value) => value !== undefined);
}

function sampleValue({ type, min, units }: FormItem, nth: number): Value | undefined {
  const number = (typeof min === 'number' ? min : 1) + nth;
  switch (type) {
    case 'boolean':
      return true;
    case 'integer':
    case 'decimal':
      return number;
    case 'quantity':
      return { value: number, ...(units[0]?.code !== undefined && { code: units[0].code }) };
    case 'string':
    case 'text':
      return `Answer ${nth + 1}`;
    case 'choice':
    case 'open-choice':
      return { display: `Answer ${nth + 1}` };
    case 'date':
      return `2000-01-${String((nth % 28) + 1).padStart(2, '0')}`;
    case 'dateTime':
      return `2000-01-${String((nth % 28) + 1).padStart(2, '0')}T12:00:00Z`;
    case 'time':
      return '12:00:00';
    default:
      return undefined;
  }
}
