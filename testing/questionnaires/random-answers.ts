import { createSeededRandom } from '#db/seed/seeded-random.ts';
import type { EvaluationContext } from '#questionnaire/evaluation.ts';
import { withAnswer } from '#questionnaire/set-answer.ts';
import { withRepetition } from '#questionnaire/extras/repetitions.ts';
import { initialAnswers, visibleItems, type VisibleItem } from '#questionnaire/visible-items.ts';
import { enabledAnswers } from '#questionnaire/expressions/enabled-answers.ts';
import type { FormItem } from '#questionnaire/form-item.ts';
import { settleCalculations } from '#questionnaire/expressions/expressions.ts';
import type { Expressions } from '#questionnaire/expressions/expression-library.ts';
import { problemsOf, problemsOfAnswer } from '#questionnaire/checking/problems.ts';
import { limitOn } from '#questionnaire/value-limits.ts';
import type { Questionnaire } from '#questionnaire/questionnaire.ts';
import type { Answers, Value } from '#questionnaire/values.ts';

const words = [
  'Yes',
  'penicillin',
  'María José',
  'since Monday',
  '12345',
  '60601',
  'NY',
  '(212) 555-0101',
  'A1',
  'abc',
  '2024',
  'x@y.test',
];
const day = (chance: () => number) =>
  new Date(
    Date.UTC(1950 + Math.floor(chance() * 75), Math.floor(chance() * 12), 1 + Math.floor(chance() * 28)),
  ).toISOString();

/** A day that the item's limits allow, also those counted from today. */
function dayWithin(item: FormItem, chance: () => number, today: string | undefined): string {
  const [low, high] = [limitOn(item.min, today), limitOn(item.max, today)].map((limit) => Date.parse(String(limit)));
  if (low === undefined || high === undefined || Number.isNaN(low) || Number.isNaN(high))
    return day(chance).slice(0, 10);
  return new Date(low + chance() * (high - low)).toISOString().slice(0, 10);
}

/** Fills a questionnaire like a patient, item by item, until nothing is missing (or ten rounds changed nothing). */
export function randomAnswers(
  questionnaire: Questionnaire,
  seed: number,
  given?: EvaluationContext,
  expressions?: Expressions,
): Answers {
  const chance = createSeededRandom(seed);
  let answers = initialAnswers(questionnaire);
  let setting = given;
  const settleNow = () => {
    if (expressions) ({ answers, setting } = settleCalculations(questionnaire, answers, expressions, given));
  };
  settleNow();
  for (let round = 0; round < 10; round++) {
    for (const place of visibleItems(questionnaire, answers, setting)) {
      if (place.item.type === 'group' && place.repetition === 0 && round === 0 && chance() < 0.5)
        answers = withRepetition(answers, place, 1);
      if (!place.item.isQuestion || place.item.readOnly) continue;
      const before = answers[place.key];
      if (before && problemsOfAnswer(place, before, setting).length === 0) continue;
      if (place.item.minOccurs === 0 && round < 5 && chance() < 0.4) continue;
      answers = withAnswer(answers, place, valuesFor(place, chance, setting));
    }
    settleNow();
    const missing = problemsOf(questionnaire, answers, setting);
    if (missing.length === 0) break;
  }
  return enabledAnswers(questionnaire, answers, setting);
}

/** Some values the item accepts; none if none were generated. */
function valuesFor({ item, key }: VisibleItem, chance: () => number, setting: EvaluationContext | undefined): Value[] {
  const wanted = item.repeats ? Math.max(item.minOccurs, Math.min(item.maxOccurs, 1 + Math.floor(chance() * 3))) : 1;
  for (let attempt = 0; attempt < 60; attempt++) {
    const count = attempt > 40 ? item.minOccurs || 1 : wanted;
    const values = Array.from({ length: count }, (_, i) => valueFor(item, chance, i, setting?.today));
    if (problemsOfAnswer({ item, key }, values, setting).length === 0) return values;
  }
  return [];
}

function valueFor(item: FormItem, chance: () => number, nth: number, today: string | undefined): Value {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(chance() * list.length)] as T;
  const number = () => {
    const low = typeof item.min === 'number' ? item.min : 0;
    const high = typeof item.max === 'number' ? item.max : low + 200;
    return low + chance() * (high - low);
  };
  if (item.options.length > 0 && !(item.takesOther && chance() < 0.2))
    return item.options[(Math.floor(chance() * item.options.length) + nth) % item.options.length]?.value ?? '';
  switch (item.type) {
    case 'boolean':
      return chance() < 0.5;
    case 'integer':
      return Math.round(number());
    case 'decimal':
      return Number(number().toFixed(Math.min(item.maxDecimals ?? 2, 2)));
    case 'date':
      return dayWithin(item, chance, today);
    case 'dateTime':
      return day(chance);
    case 'time':
      return `${String(Math.floor(chance() * 24)).padStart(2, '0')}:30:00`;
    case 'url':
      return `https://example.test/${Math.floor(chance() * 1000)}`;
    case 'quantity': {
      const unit = item.units.length > 0 ? pick(item.units) : undefined;
      const { system, code, display } = unit ?? {};
      return {
        value: Number(number().toFixed(1)),
        ...(display && { unit: display }),
        ...(system && { system }),
        ...(code && { code }),
      };
    }
    case 'attachment':
      return item.signature && chance() < 0.5
        ? { contentType: 'text/plain', title: 'Rosa Gómez', creation: '2026-05-04T10:00:00Z' }
        : { contentType: item.mimeTypes[0] ?? 'image/jpeg', url: 'files/1', title: 'Rosa Gómez', size: 1000 };
    case 'reference':
      return { display: 'Dr. Lee' };
    default:
      return pick(words).repeat(1 + Math.floor(chance() * 2));
  }
}
