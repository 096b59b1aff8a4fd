import type { Language } from './language/language.ts';
import * as urls from './extension-urls.ts';
import type { FhirElement, Extension } from './questionnaire.ts';

export { urls };

export function extensionOf(element: FhirElement | undefined, url: string): Extension | undefined {
  return extensionsOf(element, url)[0];
}

/** A response comes from outside: its extensions may be anything. */
export function extensionsOf(element: FhirElement | undefined, url: string): Extension[] {
  const all: unknown = element?.extension;
  return Array.isArray(all) ? all.filter((one: Extension | null) => one?.url === url) : none;
}

const none: Extension[] = [];

/** The first number an extension carries under that url, whole or not. */
export function numberOf(element: FhirElement | undefined, url: string): number | undefined {
  const found = extensionOf(element, url);
  const value = found?.['valueInteger'] ?? found?.['valueDecimal'] ?? found?.['valuePositiveInt'];
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

export function textOf(element: FhirElement | undefined, url: string): string | undefined {
  const found = extensionOf(element, url);
  const value = found?.['valueString'] ?? found?.['valueCode'] ?? found?.['valueCanonical'] ?? found?.['valueMarkdown'];
  return typeof value === 'string' ? value : undefined;
}

export function isFlagged(element: FhirElement | undefined, url: string): boolean {
  return extensionOf(element, url)?.['valueBoolean'] === true;
}

/** A FHIRPath expression under that url; undefined when there is none or it is of another language. */
export function expressionOf(extension: Extension | undefined): { name?: string; expression: string } | undefined {
  const value = extension?.['valueExpression'] as
    | { language?: unknown; expression?: unknown; name?: unknown }
    | undefined;
  if (!value || typeof value !== 'object' || typeof value.expression !== 'string') return undefined;
  if (!isFhirpath(value.language)) return undefined;
  return { ...(typeof value.name === 'string' && { name: value.name }), expression: value.expression };
}

/** `text/fhirpath`, and what published questionnaires write instead. Without a language it is FHIRPath too. */
const isFhirpath = (language: unknown) =>
  language === undefined ||
  (typeof language === 'string' && /^(?:(?:text|application)\/)?fhirpath$/i.test(language.trim()));

/** The text in that language by the standard `translation` extension, else the text itself. */
export function translationOf(text: string | undefined, beside: FhirElement | undefined, language: Language): string {
  let near: string | undefined;
  for (const { extension } of extensionsOf(beside, urls.translation)) {
    const lang = extension?.find(({ url }) => url === 'lang')?.['valueCode'];
    const contentPart = extension?.find(({ url }) => url === 'content');
    const content = contentPart?.['valueString'] ?? contentPart?.['valueMarkdown'];
    if (typeof lang !== 'string' || typeof content !== 'string') continue;
    if (lang === language) return content;
    if (lang.startsWith(`${language}-`)) near ??= content;
  }
  return near ?? text ?? '';
}
