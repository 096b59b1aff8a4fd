import type { Language } from './language/language.ts';
import type { FhirElement, Extension } from './questionnaire.ts';

const fhir = 'http://hl7.org/fhir/StructureDefinition/';
const sdc = 'http://hl7.org/fhir/uv/sdc/StructureDefinition/sdc-questionnaire-';

/** The extensions that are understood. All others are taken over unread. */
export const urls = {
  translation: `${fhir}translation`,
  itemControl: `${fhir}questionnaire-itemControl`,
  displayCategory: `${fhir}questionnaire-displayCategory`,
  hidden: `${fhir}questionnaire-hidden`,
  minOccurs: `${fhir}questionnaire-minOccurs`,
  maxOccurs: `${fhir}questionnaire-maxOccurs`,
  minValue: `${fhir}minValue`,
  maxValue: `${fhir}maxValue`,
  minQuantity: `${sdc}minQuantity`,
  maxQuantity: `${sdc}maxQuantity`,
  calculatedValue: `${fhir}cqf-calculatedValue`,
  cqfExpression: `${fhir}cqf-expression`,
  minLength: `${fhir}minLength`,
  maxDecimalPlaces: `${fhir}maxDecimalPlaces`,
  regex: `${fhir}regex`,
  entryFormat: `${fhir}entryFormat`,
  unit: `${fhir}questionnaire-unit`,
  unitOption: `${fhir}questionnaire-unitOption`,
  unitValueSet: `${fhir}questionnaire-unitValueSet`,
  mimeType: `${fhir}mimeType`,
  maxSize: `${fhir}maxSize`,
  sliderStep: `${fhir}questionnaire-sliderStepValue`,
  optionExclusive: `${fhir}questionnaire-optionExclusive`,
  optionPrefix: `${fhir}questionnaire-optionPrefix`,
  ordinalValue: `${fhir}ordinalValue`,
  itemWeight: `${fhir}itemWeight`,
  signatureRequired: `${fhir}questionnaire-signatureRequired`,
  responseSignature: `${fhir}questionnaireresponse-signature`,
  choiceOrientation: `${fhir}questionnaire-choiceOrientation`,
  calculated: `${sdc}calculatedExpression`,
  enabledBy: `${sdc}enableWhenExpression`,
  initialBy: `${sdc}initialExpression`,
  answersBy: `${sdc}answerExpression`,
  candidatesBy: `${sdc}candidateExpression`,
  /** What an open choice calls the answer in one's own words. */
  openLabel: `${sdc}openLabel`,
  optionsToggle: `${sdc}answerOptionsToggleExpression`,
  variable: `${fhir}variable`,
  constraint: `${fhir}questionnaire-constraint`,
  targetConstraint: `${fhir}targetConstraint`,
  launchContext: `${sdc}launchContext`,
  subQuestionnaire: `${sdc}subQuestionnaire`,
  assembleExpectation: `${sdc}assemble-expectation`,
  /** Ours: the rules for the outcome of the answers. */
  outcome: 'urn:anteroom:fhir:questionnaire-outcome',
  /** Ours: true on an item whose answer is the same for the whole household, so it is asked once. */
  household: 'urn:anteroom:fhir:questionnaire-household',
  /** Ours: true on a top-level item that is shown on the page of the item before it. */
  samePage: 'urn:anteroom:fhir:questionnaire-same-page',
  /** Ours: true on an item of a response whose calculation a person overwrote. */
  overwritten: 'urn:anteroom:fhir:calculation-overwritten',
  /** Ours: what is known about the patient and answers this item: one of `knownFacts`. */
  known: 'urn:anteroom:fhir:questionnaire-known',
  /**
   * Ours: true on an item whose answers, and those of the items below it, are filled in from the patient's visit before; false on an item
   * below it that is asked each time.
   */
  carriedOver: 'urn:anteroom:fhir:questionnaire-carried-over',
  /** Ours: true on a length in inches that is asked for in feet and inches. */
  feetAndInches: 'urn:anteroom:fhir:questionnaire-feet-and-inches',
  /** Ours: `year` or `month` on a date of which nobody knows the day. */
  datePrecision: 'urn:anteroom:fhir:questionnaire-date-precision',
  /** Ours: true on a date of the patient's life: one before the known birth date is refused. */
  sinceBirth: 'urn:anteroom:fhir:questionnaire-since-birth',
  /** Ours: true on a text instead of which a practice that has its notice of privacy practices on the web shows its address. */
  practiceNotice: 'urn:anteroom:fhir:questionnaire-practice-notice',
  markdown: `${fhir}rendering-markdown`,
  xhtml: `${fhir}rendering-xhtml`,
  itemMedia: `${sdc}itemMedia`,
  /** A picture or recording at an option. */
  itemAnswerMedia: `${sdc}itemAnswerMedia`,
  collapsible: `${sdc}collapsible`,
  shortText: `${sdc}shortText`,
  usageMode: `${fhir}questionnaire-usageMode`,
  /** Where to read more about an item. */
  supportLink: `${fhir}questionnaire-supportLink`,
  /** Ours: the file behind a signature, inside the standard signature extension. */
  signatureFile: 'urn:anteroom:fhir:signature-file',
} as const;

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
