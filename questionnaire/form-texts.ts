import type { Language } from './language/language.ts';
import { extensionOf, translationOf, urls } from './extensions.ts';
import type { FormItem } from './form-item.ts';
import type { Questionnaire } from './questionnaire.ts';
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
  const found = extensionOf(source, urls.entryFormat) as
    (Record<string, unknown> & { valueString?: unknown }) | undefined;
  const format = typeof found?.valueString === 'string' ? found.valueString : undefined;
  return translationOf(format, isRecord(found?.['_valueString']) ? found['_valueString'] : undefined, language);
}

/** The questionnaire's title in that language. */
export function titleOf({ title, _title, name }: Questionnaire, language: Language): string {
  return translationOf(title ?? name, _title, language);
}
