import type { Attachment, Coding, Quantity, Reference, TypedValue } from './questionnaire.ts';

/** One answer to one question, by the item's type: a picture is an Attachment, a choice its option's own value. */
export type Value = boolean | number | string | Coding | Quantity | Attachment | Reference;

/** What was answered, flat: a list of values under each item's key (`keyOf`). Under a repeating group's key: [how many]. */
export type Answers = Readonly<Record<string, readonly Value[]>>;

/** Is there nothing in it? A blank text, an empty object and a missing value are blank. */
export function isBlank(value: unknown): boolean {
  if (value === null || value === undefined) return true;
  if (typeof value === 'string') return value.trim() === '';
  if (typeof value === 'number') return Number.isNaN(value);
  if (typeof value === 'object') return Object.values(value).every(isBlank);
  return false;
}

/** The values that are not blank; the same list if none is blank. */
export function filledValues(values: readonly Value[] | undefined): readonly Value[] {
  if (!Array.isArray(values)) return [];
  return values.some(isBlank) ? values.filter((value: Value) => !isBlank(value)) : (values as readonly Value[]);
}

export function isCoding(value: unknown): value is Coding {
  return isRecord(value) && (typeof value['code'] === 'string' || typeof value['display'] === 'string');
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value of a `value[x]`, whichever x it is. */
export function valueIn(typed: TypedValue): Value | undefined {
  for (const [name, value] of Object.entries(typed))
    if (name.startsWith('value') && value !== undefined) return value as Value;
  return undefined;
}

/** Are these two the same answer? Compares codings by system and code (a missing system fits any); if one has no code, by their display text. */
export function isSameValue(one: unknown, other: unknown): boolean {
  if (!isRecord(one) || !isRecord(other)) return one === other;
  if ('reference' in one || 'reference' in other) return one['reference'] === other['reference'];
  if (one['code'] === undefined && other['code'] === undefined && ('display' in one || 'display' in other))
    return one['display'] === other['display'];
  if ((one['code'] === undefined || other['code'] === undefined) && 'display' in one && 'display' in other)
    return one['display'] === other['display'];
  if ('value' in one || 'value' in other) return compareValues(one, other) === 0;
  const sameSystem = one['system'] === undefined || other['system'] === undefined || one['system'] === other['system'];
  return one['code'] !== undefined && one['code'] === other['code'] && sameSystem;
}

/**
 * Which comes first: below 0, 0 or above 0; undefined where the two cannot be compared (other kinds, other units, dates of which one
 * is too vague).
 */
export function compareValues(one: unknown, other: unknown): number | undefined {
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  if (typeof one === 'string' && typeof other === 'string') return compareText(one, other);
  if (isRecord(one) && isRecord(other)) return compareQuantities(one, other);
  return undefined;
}

function compareQuantities(one: Quantity, other: Quantity): number | undefined {
  if (typeof one.value !== 'number' || typeof other.value !== 'number') return undefined;
  const unit = one.code ?? one.unit;
  const otherUnit = other.code ?? other.unit;
  const fits = unit === undefined || otherUnit === undefined || unit === otherUnit || one.unit === other.unit;
  return fits ? one.value - other.value : undefined;
}

export const datePattern = /^(\d{4})(?:-(\d\d)(?:-(\d\d)(?:T(\d\d):(\d\d):(\d\d)(?:\.\d+)?(Z|[+-]\d\d:\d\d))?)?)?$/;
export const timePattern = /^(\d\d):(\d\d)(?::(\d\d)(\.\d+)?)?$/;

function compareText(one: string, other: string): number | undefined {
  if (datePattern.test(one) && datePattern.test(other)) {
    if (one.includes('T') && other.includes('T')) return Date.parse(one) - Date.parse(other);
    const precision = Math.min(one.length, other.length, 10);
    const order = alphabetical(one.slice(0, precision), other.slice(0, precision));
    const vague = order === 0 && Math.min(one.length, 10) !== Math.min(other.length, 10);
    return vague ? undefined : order;
  }
  if (timePattern.test(one) && timePattern.test(other)) return alphabetical(withSeconds(one), withSeconds(other));
  return alphabetical(one, other);
}

const withSeconds = (time: string) => (time.length === 5 ? `${time}:00` : time);
const alphabetical = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);
