import type { EvaluationContext } from '#questionnaire/evaluation.ts';
import { inches } from '#questionnaire/answer-texts/feet-and-inches.ts';
import type { FormItem } from '#questionnaire/form-item.ts';
import { limitOn } from '#questionnaire/value-limits.ts';
import { optionFor } from '#questionnaire/options.ts';
import { decimalsOf, isDateTime, isTime } from './formats.ts';
import { readPattern, type Pattern } from './pattern.ts';
import type { ProblemCode } from './problem-codes.ts';
import type { Attachment, Quantity } from '#questionnaire/questionnaire.ts';
import { isDate } from '#questionnaire/dates/date-formats.ts';
import { compareValues, isCoding, isRecord, type Value } from '#questionnaire/values.ts';

/** Longer texts are refused whatever the questionnaire allows. This also limits the work of a pattern. */
const longestAnswer = 10_000;

/** What is wrong with one value, without its position in the form. */
export type ValueProblem = { code: ProblemCode; detail?: string | number } | undefined;

/** Is the value of the kind the item asks for? */
export function kindProblem(item: FormItem, value: Value): ValueProblem {
  const textProblem = typeof value === 'string' ? anyTextProblem(value) : undefined;
  if (textProblem) return textProblem;
  switch (item.type) {
    case 'boolean':
      return typeof value === 'boolean' ? undefined : { code: 'wrong_kind' };
    case 'integer':
    case 'decimal':
      return numberProblem(item.type, value);
    case 'string':
    case 'text':
      return typeof value === 'string' ? undefined : { code: 'wrong_kind' };
    case 'date':
    case 'dateTime':
    case 'time':
    case 'url':
      return formatProblem(item.type, value, item.datePrecision);
    case 'choice':
    case 'open-choice':
      return optionProblem(item, value);
    case 'quantity':
      return quantityProblem(item, value);
    case 'attachment':
      return isFile(item, value) ? undefined : { code: item.signature ? 'not_signed' : 'wrong_kind' };
    case 'reference':
      return isRecord(value) && ('reference' in value || 'display' in value) ? undefined : { code: 'wrong_kind' };
    default:
      return { code: 'not_asked' };
  }
}

/** What is wrong with a text of any type. */
function anyTextProblem(text: string): ValueProblem {
  if (text.includes('\0') || !text.isWellFormed()) return { code: 'wrong_characters' };
  return text.length > longestAnswer ? { code: 'too_long', detail: longestAnswer } : undefined;
}

function numberProblem(type: 'integer' | 'decimal', value: Value): ValueProblem {
  if (typeof value !== 'number' || !Number.isFinite(value)) return { code: 'not_a_number' };
  return type === 'integer' && !Number.isSafeInteger(value) ? { code: 'not_a_whole_number' } : undefined;
}

/** The types that are a text of a certain format. */
const formats = {
  date: { fits: isDate, code: 'not_a_date' },
  dateTime: { fits: isDateTime, code: 'not_a_date_time' },
  time: { fits: isTime, code: 'not_a_time' },
  url: { fits: (text: string) => /^[a-z][a-z\d+.-]*:\S+$/i.test(text), code: 'not_an_address' },
} as const;

function formatProblem(type: keyof typeof formats, value: Value, precision: FormItem['datePrecision']): ValueProblem {
  const { fits, code } = formats[type];
  if (typeof value === 'string' && fits(value)) return undefined;
  return { code: type === 'date' ? dateCodes[precision] : code };
}

/** A question for a month or a year has no field for a day, so its message names none. */
const dateCodes = { day: 'not_a_date', month: 'not_a_month', year: 'not_a_year' } as const;
const dateLengths = { day: 10, month: 7, year: 4 } as const;

function optionProblem(item: FormItem, value: Value): ValueProblem {
  if (optionFor(item.options, value)) return undefined;
  const isFreeText = typeof value === 'string' || (isCoding(value) && value.code === undefined);
  if (item.takesOther && isFreeText) return undefined;
  return item.options.length > 0 || !isCoding(value) ? { code: 'not_an_option' } : undefined;
}

function quantityProblem(item: FormItem, value: Value): ValueProblem {
  const { value: amount, unit, code } = (isRecord(value) ? value : {}) as Quantity;
  if (typeof amount !== 'number' || !Number.isFinite(amount))
    return { code: item.feetAndInches && code === inches ? 'not_feet_and_inches' : 'not_a_number' };
  if (item.units.length === 0) return undefined;
  const known = item.units.some(
    (one) => (one.code !== undefined && one.code === code) || (one.display ?? one.code) === unit,
  );
  return known
    ? undefined
    : { code: 'wrong_unit', detail: item.units.map((one) => one.display ?? one.code ?? '').join(', ') };
}

/** An uploaded file: its type, and its URL or its bytes. A typed signature has only the name. */
function isFile(item: FormItem, value: Value): boolean {
  if (!isRecord(value)) return false;
  const { contentType, url, data, title } = value as Attachment;
  const isThere = (text: unknown) => typeof text === 'string' && text.trim() !== '';
  if (item.signature && contentType === 'text/plain') return isThere(title);
  return isThere(contentType) && (isThere(url) || isThere(data));
}

const patterns = new WeakMap<FormItem, Pattern | null>();

/** Null if there is none, or if it is not understood and so not enforced. */
function patternOf(item: FormItem): Pattern | null {
  let pattern = patterns.get(item);
  if (pattern === undefined) patterns.set(item, (pattern = item.regex === undefined ? null : readPattern(item.regex)));
  return pattern;
}

const characters = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** How many characters a person sees: an emoji is one, however many code points it is made of. */
function charactersIn(text: string): number {
  let count = 0;
  for (const _ of characters.segment(text)) count += 1;
  return count;
}

/** Is a value of the right kind also within what the item allows? */
export function detailProblem(item: FormItem, value: Value, setting: EvaluationContext): ValueProblem {
  if (typeof value === 'string' && item.options.length === 0) {
    const { maxLength, minLength } = item;
    if (maxLength !== undefined && value.length > maxLength && charactersIn(value) > maxLength)
      return { code: 'too_long', detail: maxLength };
    if (minLength !== undefined && charactersIn(value) < minLength) return { code: 'too_short', detail: minLength };
    if (patternOf(item)?.(value) === false) return { code: 'wrong_pattern' };
  }
  const amount = isRecord(value) ? (value as Quantity).value : value;
  if (item.maxDecimals !== undefined && typeof amount === 'number' && decimalsOf(amount) > item.maxDecimals)
    return { code: 'too_many_decimals', detail: item.maxDecimals };
  if (item.type === 'attachment') return fileProblem(item, value as Attachment);
  return limitProblem(item, value, setting);
}

/** Nobody who fills in a form was born earlier; a form with its own lowest date says otherwise. */
const firstPlausibleDay = '1900-01-01';

function limitProblem(item: FormItem, value: Value, { today }: EvaluationContext): ValueProblem {
  const low = limitOn(item.min, today);
  const high = limitOn(item.max, today);
  const isDay = item.type === 'date' || item.type === 'dateTime' || item.type === 'time';
  if (low === undefined && item.type !== 'time' && isDay && (compareValues(value, firstPlausibleDay) ?? 0) < 0)
    return { code: 'implausible_year', detail: String(value).slice(0, 4) };
  const limitText = (limit: Value) => {
    if (isRecord(limit)) return String((limit as Quantity).value);
    return item.type === 'date' && typeof limit === 'string'
      ? limit.slice(0, dateLengths[item.datePrecision])
      : (limit as string | number);
  };
  if (low !== undefined && (compareTo(value, low) ?? 0) < 0)
    return { code: isDay ? 'too_early' : 'too_low', detail: limitText(low) };
  if (high !== undefined && (compareTo(value, high) ?? 0) > 0)
    return { code: isDay ? 'too_late' : 'too_high', detail: limitText(high) };
  return undefined;
}

/** The limit of an amount may be a plain number. */
function compareTo(value: Value, limit: Value): number | undefined {
  return isRecord(value) && typeof limit === 'number'
    ? compareValues((value as Quantity).value, limit)
    : compareValues(value, limit);
}

function fileProblem(item: FormItem, { contentType = '', size }: Attachment): ValueProblem {
  const fits = (type: string) =>
    type === contentType || (type.endsWith('/*') && contentType.startsWith(type.slice(0, -1)));
  if (!item.signature && item.mimeTypes.length > 0 && !item.mimeTypes.some(fits))
    return { code: 'wrong_file_type', detail: item.mimeTypes.join(', ') };
  if (item.maxBytes !== undefined && size !== undefined && size > item.maxBytes)
    return { code: 'file_too_big', detail: item.maxBytes / 1_000_000 };
  return undefined;
}
