import type { FormItem } from '#contract/forms/form.ts';
import { labelOf, labelOfCoding } from '#contract/forms/options.ts';
import type { Coding, Quantity, Reference } from '#contract/forms/questionnaire.ts';
import { isSame, type Value } from '#contract/forms/values.ts';
import type { Language } from '#contract/refusals.ts';
import { paperWords } from './words.ts';

/** An answer as a person reads it on paper. */
export function answerWords(item: FormItem, value: Value, language: Language): string {
  const option = item.options.find((one) => isSame(one.value, value));
  if (option) return labelOf(option, language);
  switch (item.type) {
    case 'boolean':
      return value === true ? paperWords[language].yes : paperWords[language].no;
    case 'date':
      return dayWords(String(value), language);
    case 'quantity': {
      const { value: amount, unit, code } = value as Quantity;
      return `${numberWords(amount ?? 0, language)} ${unit ?? code ?? ''}`.trim();
    }
    case 'decimal':
    case 'integer':
      return typeof value === 'number' ? numberWords(value, language) : String(value);
    case 'reference':
      return (value as Reference).display ?? (value as Reference).reference ?? '';
    default:
      return typeof value === 'object' ? labelOfCoding(value as Coding, language) : String(value);
  }
}

/** Figures as they were given: no thousands are set apart, for it may be a number of a policy. */
const numberWords = (amount: number, language: Language) => numbers[language].format(amount);
const numbers = {
  en: new Intl.NumberFormat('en', { useGrouping: false, maximumFractionDigits: 20 }),
  es: new Intl.NumberFormat('es', { useGrouping: false, maximumFractionDigits: 20 }),
};
const days = {
  en: new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' }),
  es: new Intl.DateTimeFormat('es', { dateStyle: 'long', timeZone: 'UTC' }),
};

function dayWords(text: string, language: Language): string {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return text;
  return days[language].format(new Date(`${text}T00:00:00Z`));
}
