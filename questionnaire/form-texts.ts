import type { Language } from './language/language.ts';
import { extensionOf, translationOf, urls } from './extensions.ts';
import type { FormItem } from './form-item.ts';
import type { Extension, Questionnaire } from './questionnaire.ts';
import { isRecord } from './values.ts';

/** An item's text in that language. */
export function questionText({ source }: FormItem, language: Language): string {
  return translationOf(source.text, source._text, language);
}

/** The question's prefix: '1.', 'a)'. */
export function prefixOf({ source }: FormItem, language: Language): string {
  return translationOf(source.prefix, source._prefix, language);
}

/** The format to enter ('MM/DD/YYYY') in that language; empty if the questionnaire has none. */
export function entryFormatOf({ source }: FormItem, language: Language): string {
  return textIn(extensionOf(source, urls.entryFormat), language);
}

/** What the author calls the answer in one's own words; empty if the questionnaire does not say. */
export function openLabelOf({ source }: FormItem, language: Language): string {
  return textIn(extensionOf(source, urls.openLabel), language);
}

function textIn(found: Extension | undefined, language: Language): string {
  const { valueString: text, _valueString: beside } = (found ?? {}) as Record<string, unknown>;
  return translationOf(typeof text === 'string' ? text : undefined, isRecord(beside) ? beside : undefined, language);
}

/** The questionnaire's title in that language. */
export function titleOf({ title, _title, name }: Questionnaire, language: Language): string {
  return translationOf(title ?? name, _title, language);
}
