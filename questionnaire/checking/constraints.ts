import { expressionOf, extensionsOf, translationOf, urls } from '#questionnaire/extensions.ts';
import type { Translations } from '#questionnaire/language/language.ts';
import type { Extension, FhirElement } from '#questionnaire/questionnaire.ts';
import { isRecord } from '#questionnaire/values.ts';

/** A rule that the answers have to keep, as a FHIRPath expression that must not be false. */
export interface Constraint {
  severity: 'error' | 'warning';
  expression: string;
  /** What a person reads when it is broken. */
  message: Translations;
  /** Where it is shown, as an expression; only for one of the whole questionnaire. */
  location: string | undefined;
}

/** The constraints of an item or of the questionnaire, by either of the two standard extensions. One in another language has no expression. */
export function constraintsOf(element: FhirElement): (Constraint | ForeignConstraint)[] {
  return [...extensionsOf(element, urls.constraint), ...extensionsOf(element, urls.targetConstraint)].map(
    readConstraint,
  );
}

/** A constraint in a language that is not evaluated. */
interface ForeignConstraint {
  expression: undefined;
  language: string;
}

function readConstraint({ extension = [] }: Extension): Constraint | ForeignConstraint {
  const parts = Array.isArray(extension) ? extension : [];
  const part = (url: string) =>
    parts.find((one) => isRecord(one) && one.url === url) as Record<string, unknown> | undefined;
  const written = part('expression');
  const expression =
    typeof written?.['valueString'] === 'string'
      ? written['valueString']
      : expressionOf(written as Extension | undefined)?.expression;
  if (expression === undefined) {
    const { language } = (isRecord(written?.['valueExpression']) ? written['valueExpression'] : {}) as {
      language?: unknown;
    };
    return { expression: undefined, language: typeof language === 'string' ? language : '?' };
  }
  const location = part('location')?.['valueString'];
  return {
    severity: part('severity')?.['valueCode'] === 'warning' ? 'warning' : 'error',
    expression,
    message: messageOf(part('human')),
    location: typeof location === 'string' ? location : undefined,
  };
}

const defaultMessage: Translations = { en: 'Please check this answer.', es: 'Revise esta respuesta.' };

function messageOf(human: Record<string, unknown> | undefined): Translations {
  const name = human && ['valueString', 'valueMarkdown'].find((one) => typeof human[one] === 'string');
  if (!name || String(human[name]).trim() === '') return defaultMessage;
  const beside = human[`_${name}`];
  const messageIn = (language: 'en' | 'es') =>
    translationOf(String(human[name]), isRecord(beside) ? beside : undefined, language);
  return { en: messageIn('en'), es: messageIn('es') };
}
