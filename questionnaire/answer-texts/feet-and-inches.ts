import { locales, type Language } from '#questionnaire/language/language.ts';
import type { FormItem } from '#questionnaire/form-item.ts';
import type { Quantity } from '#questionnaire/questionnaire.ts';

/** Inches in UCUM. */
export const inches = '[in_i]';

/** Feet, and the inches that are left: 64 is 5 and 4. */
export function feetAndInchesOf(total: number): { feet: number; inches: number } {
  // Half an inch is as exact as anyone measures; without it 5 ft 4.1 in would show all digits of a computer's fraction.
  const rounded = Math.round(total * 2) / 2;
  return { feet: Math.floor(rounded / 12), inches: rounded % 12 };
}

/** A length as people say it, "5 ft 4 in"; undefined if the item is not asked for in feet and inches, or was answered in another unit. */
export function feetAndInchesText(item: FormItem, { value, code }: Quantity, language: Language): string | undefined {
  if (!item.feetAndInches || code !== inches || value === undefined) return undefined;
  const { feet, inches: rest } = feetAndInchesOf(value);
  const restText = rest.toLocaleString(locales[language]);
  return language === 'es' ? `${feet} pies ${restText} pulg` : `${feet} ft ${restText} in`;
}
