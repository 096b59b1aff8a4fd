import { formOf } from '#questionnaire/form.ts';
import type { FormItem, KnownFact } from '#questionnaire/form-item.ts';
import type { Questionnaire } from '#questionnaire/questionnaire.ts';
import { filledValues, type Answers, type Value } from '#questionnaire/values.ts';

/** What is known about the patient. */
export type KnownFacts = Partial<Record<KnownFact, Value>>;

/** The whole years between a birth date and a day, both YYYY-MM-DD. */
export function ageOn(birthDate: string, today: string): number {
  const years = Number(today.slice(0, 4)) - Number(birthDate.slice(0, 4));
  return today.slice(5) < birthDate.slice(5) ? years - 1 : years;
}

/** The answers with what is known: in every hidden item that holds a fact, and elsewhere where nothing was answered yet. */
export function withKnownFacts(questionnaire: Questionnaire, answers: Answers, facts: KnownFacts): Answers {
  const known: Record<string, readonly Value[]> = { ...answers };
  for (const item of formOf(questionnaire).all) {
    const value = item.known && facts[item.known];
    if (value === undefined || item.within.length > 0 || !fitsItem(item, value)) continue;
    const key = item.linkId.replaceAll('#', '##');
    if (item.hidden || filledValues(answers[key]).length === 0) known[key] = [value];
  }
  return known;
}

const textTypes: readonly string[] = ['string', 'text'];

/** A fact is a text, a day or a number; an item of another type is left as it is. */
function fitsItem({ type, maxLength }: FormItem, value: Value): boolean {
  if (typeof value === 'number') return type === 'integer' || type === 'decimal';
  if (typeof value !== 'string') return false;
  return type === 'date' || (textTypes.includes(type) && value.length <= (maxLength ?? Infinity));
}
