import { expressionOf, extensionOf, urls } from './extensions.ts';
import type { FhirElement, Item } from './questionnaire.ts';
import { isRecord, type Value } from './values.ts';

/** A lowest or highest value: fixed, or counted from the day the form is filled in (`today() - 18 years`). */
export type Limit = Value | DayFromToday;

export interface DayFromToday {
  today: number;
  unit: 'day' | 'month' | 'year';
}

/** The lowest or highest value that an extension of the item sets. */
export function limitOf(source: Item, url: string): Limit | undefined {
  const extension = extensionOf(source, url);
  if (!extension) return undefined;
  for (const [name, value] of Object.entries(extension)) {
    if (!name.startsWith('value')) continue;
    if (typeof value === 'number' || typeof value === 'string') return value;
    if (isRecord(value) && typeof value['value'] === 'number') return value;
  }
  return relativeLimit(extension as unknown as Record<string, unknown>);
}

/** The expression of a limit that is set but not understood: such a limit is not checked. */
export function unreadLimit(source: Item, url: string): string | undefined {
  const extension = extensionOf(source, url);
  if (!extension || limitOf(source, url) !== undefined) return undefined;
  const beside = besideLimit(extension as unknown as Record<string, unknown>);
  return (isRecord(beside) && expressionOf(expressionExtension(beside))?.expression) || '?';
}

/** `today()`, `today() - 18 years`: the only expressions that are evaluated without the expression library. */
function relativeLimit(limit: Record<string, unknown>): DayFromToday | undefined {
  const beside = besideLimit(limit);
  return isRecord(beside) ? dayCountedFromToday(beside) : undefined;
}

const besideLimit = (limit: Record<string, unknown>) => limit['_valueDate'] ?? limit['_valueDateTime'] ?? limit;

const expressionExtension = (beside: FhirElement) =>
  extensionOf(beside, urls.calculatedValue) ?? extensionOf(beside, urls.cqfExpression);

/** The day that a primitive's extension counts from today. */
export function dayCountedFromToday(beside: FhirElement): DayFromToday | undefined {
  const extension = expressionExtension(beside);
  const parts = /^\s*today\(\)\s*(?:([+-])\s*(\d{1,4})\s*'?(day|week|month|year)s?'?)?\s*$/.exec(
    expressionOf(extension)?.expression ?? '',
  );
  if (!parts) return undefined;
  const [, sign, count, unit = 'day'] = parts;
  const days = unit === 'week' ? 7 : 1;
  return {
    today: Number(count ?? 0) * (sign === '-' ? -1 : 1) * days,
    unit: unit === 'week' ? 'day' : (unit as DayFromToday['unit']),
  };
}

const isDayFromToday = (limit: Limit): limit is DayFromToday => isRecord(limit) && 'today' in limit;

/** The limit on that day; undefined if it is counted from today and no day is known. */
export function limitOn(limit: Limit | undefined, today: string | undefined): Value | undefined {
  if (limit === undefined || !isDayFromToday(limit)) return limit;
  if (!today) return undefined;
  const day = new Date(`${today}T00:00:00Z`);
  if (limit.unit === 'day') day.setUTCDate(day.getUTCDate() + limit.today);
  else addMonths(day, limit.today * (limit.unit === 'year' ? 12 : 1));
  return Number.isNaN(day.getTime()) ? undefined : day.toISOString().slice(0, 10);
}

/** A day that the month does not have is its last one, as in FHIRPath: a month before March 31 is the end of February. */
function addMonths(day: Date, months: number): void {
  const before = day.getUTCDate();
  day.setUTCMonth(day.getUTCMonth() + months);
  if (day.getUTCDate() !== before) day.setUTCDate(0);
}
