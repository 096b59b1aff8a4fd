import { feetAndInchesText } from '#questionnaire/answer-texts/feet-and-inches.ts';
import type { FormItem } from '#questionnaire/form-item.ts';
import { labelOf, labelOfCoding, optionFor } from '#questionnaire/options.ts';
import type { Coding, Quantity, Reference } from '#questionnaire/questionnaire.ts';
import { phoneText } from '#questionnaire/answer-texts/phone-text.ts';
import type { Value } from '#questionnaire/values.ts';
import { locales } from '#questionnaire/language/language.ts';
import type { Language } from '#contract/shapes.ts';
import { pdfMessages } from './pdf-messages.ts';

/** An answer as a person reads it on the PDF. */
export function answerText(item: FormItem, value: Value, language: Language): string {
  const option = optionFor(item.options, value);
  if (option) return labelOf(option, language);
  switch (item.type) {
    case 'boolean':
      return value === true ? pdfMessages[language].yes : pdfMessages[language].no;
    case 'date':
    case 'dateTime':
    case 'time':
      return dateTimeText(String(value), language);
    case 'quantity':
      return amountText(item, value as Quantity, language);
    case 'decimal':
    case 'integer':
      return typeof value === 'number' ? numberText(value, language) : String(value);
    case 'reference':
      return (value as Reference).display ?? (value as Reference).reference ?? '';
    default:
      return typeof value === 'object' ? labelOfCoding(value as Coding, language) : phoneText(item, String(value));
  }
}

/** Numbers without thousands separators, because one may be a policy number. */
const numberText = (amount: number, language: Language) => numbers[language].format(amount);
const numbers = {
  en: new Intl.NumberFormat(locales.en, { useGrouping: false, maximumFractionDigits: 20 }),
  es: new Intl.NumberFormat(locales.es, { useGrouping: false, maximumFractionDigits: 20 }),
};

function amountText(item: FormItem, amount: Quantity, language: Language): string {
  const { value, unit, code } = amount;
  const asFeet = feetAndInchesText(item, amount, language);
  if (asFeet !== undefined) return asFeet;
  const known = item.units.find((one) => one.code !== undefined && one.code === code);
  return `${numberText(value ?? 0, language)} ${known ? labelOfCoding(known, language) : (unit ?? code ?? '')}`.trim();
}

/** Prints a date only as precisely as it was given, and an instant in its own time zone, wherever the PDF is read. */
function dateTimeText(text: string, language: Language): string {
  const [, year, month, day, time] = /^(?:(\d{4})(?:-(\d\d))?(?:-(\d\d))?(?:T|$))?(\d\d:\d\d)?/.exec(text) ?? [];
  const at = new Date(`${year ?? '2000'}-${month ?? '01'}-${day ?? '01'}T${time ?? '00:00'}Z`);
  if (Number.isNaN(at.getTime()) || (month ?? time) === undefined) return text;
  const parts = `${day ? 'day' : month ? 'month' : ''} ${time ? 'time' : ''}`;
  return dateTimeFormat(language, parts).format(at);
}

const dateTimeFormats = new Map<string, Intl.DateTimeFormat>();

/** Creating a format costs more than everything else about a short answer, so each is created once. */
function dateTimeFormat(language: Language, parts: string): Intl.DateTimeFormat {
  const key = `${language} ${parts}`;
  let format = dateTimeFormats.get(key);
  if (!format) {
    format = new Intl.DateTimeFormat(locales[language], {
      timeZone: 'UTC',
      ...(parts.includes('day')
        ? { dateStyle: 'long' }
        : parts.includes('month') && { year: 'numeric', month: 'long' }),
      ...(parts.includes('time') && { timeStyle: 'short' }),
    });
    dateTimeFormats.set(key, format);
  }
  return format;
}
