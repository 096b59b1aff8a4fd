import { labelOf, labelOfCoding, optionFor } from '#questionnaire/options.ts';
import { feetAndInchesText } from '#questionnaire/answer-texts/feet-and-inches.ts';
import type { FormItem } from '#questionnaire/form-item.ts';
import type { Attachment, Quantity } from '#questionnaire/questionnaire.ts';
import { phoneText } from '#questionnaire/answer-texts/phone-text.ts';
import { isCoding, type Value } from '#questionnaire/values.ts';
import type { Language } from '#contract/shapes.ts';
import { locales } from '#web/kit/i18n.ts';
import { longDate } from '#web/questionnaire/dates/dates.ts';

/** One answer as a text for the patient. */
export function answerText(item: FormItem, value: Value, language: Language): string {
  const option = optionFor(item.options, value);
  if (option) return labelOf(option, language);
  if (typeof value === 'boolean') return language === 'es' ? (value ? 'Sí' : 'No') : value ? 'Yes' : 'No';
  if (typeof value === 'number') return value.toLocaleString(locales[language], { useGrouping: false });
  if (typeof value === 'string') return textAnswerText(item, value, language);
  if (item.type === 'attachment') return (value as Attachment).title ?? '';
  if ('value' in value) return quantityText(item, value as Quantity, language);
  return isCoding(value) ? labelOfCoding(value, language) : '';
}

function textAnswerText(item: FormItem, text: string, language: Language): string {
  const { type } = item;
  const locale = locales[language];
  if (type === 'date') return longDate(text, language) || text;
  if (type === 'dateTime' && text.includes('T'))
    return new Date(text).toLocaleString(locale, { dateStyle: 'long', timeStyle: 'short' });
  if (type === 'time' && /^\d\d:\d\d/.test(text))
    return new Date(`2000-01-01T${text}`).toLocaleTimeString(locale, { timeStyle: 'short' });
  return phoneText(item, text);
}

function quantityText(item: FormItem, amount: Quantity, language: Language): string {
  const { value, unit, code } = amount;
  const asFeet = feetAndInchesText(item, amount, language);
  if (asFeet !== undefined) return asFeet;
  const known = item.units.find((one) => one.code !== undefined && one.code === code);
  return [value, known ? labelOfCoding(known, language) : (unit ?? code)]
    .filter((part) => part !== undefined)
    .join(' ');
}
