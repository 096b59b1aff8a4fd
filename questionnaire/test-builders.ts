import type {
  AnswerOption,
  Coding,
  EnableWhen,
  Extension,
  Item,
  Questionnaire,
  ValueSet,
} from '#questionnaire/questionnaire.ts';

export const base = 'http://hl7.org/fhir/StructureDefinition/';
const sdc = 'http://hl7.org/fhir/uv/sdc/StructureDefinition/sdc-questionnaire-';
export const loinc = 'http://loinc.org';
const ucum = 'http://unitsofmeasure.org';

export function questionnaire(
  name: string,
  title: string,
  item: Item[],
  more: Partial<Questionnaire> = {},
): Questionnaire {
  return {
    resourceType: 'Questionnaire',
    url: `http://example.org/fhir/Questionnaire/${name}`,
    version: '1.0.0',
    name,
    title,
    status: 'active',
    item,
    ...more,
  };
}

export const control = (code: string): Extension => ({
  url: `${base}questionnaire-itemControl`,
  valueCodeableConcept: {
    coding: [{ system: 'http://hl7.org/fhir/questionnaire-item-control', code }],
  },
});
export const unit = (code: string): Extension => ({
  url: `${base}questionnaire-unit`,
  valueCoding: { system: ucum, code, display: code },
});
export const unitOption = (code: string): Extension => ({
  url: `${base}questionnaire-unitOption`,
  valueCoding: { system: ucum, code, display: code },
});
export const whole = (name: string, valueInteger: number): Extension => ({ url: `${base}${name}`, valueInteger });
export const decimal = (name: string, valueDecimal: number): Extension => ({ url: `${base}${name}`, valueDecimal });
export const flag = (name: string): Extension => ({ url: `${base}${name}`, valueBoolean: true });
export const regex = (valueString: string): Extension => ({ url: `${base}regex`, valueString });
export const expression = (kind: string, text: string): Extension => ({
  url: `${sdc}${kind}`,
  valueExpression: { language: 'text/fhirpath', expression: text },
});
export const variable = (name: string, text: string): Extension => ({
  url: `${base}variable`,
  valueExpression: { name, language: 'text/fhirpath', expression: text },
});

/** Answers as LOINC lists them: a code, a letter, and a score. */
export function scale(...labels: string[]): AnswerOption[] {
  return labels.map((display, i) => ({
    valueCoding: {
      extension: [{ url: `${base}ordinalValue`, valueDecimal: i }],
      system: loinc,
      code: `LA${6568 + i}-${i % 10}`,
      display,
    },
  }));
}

export const codes = (...labels: string[]): AnswerOption[] =>
  labels.map((display) => ({ valueCoding: { system: 'http://example.org/codes', code: slug(display), display } }));
export const coding = (display: string): Coding => ({
  system: 'http://example.org/codes',
  code: slug(display),
  display,
});
const slug = (text: string) => text.toLowerCase().replace(/[^a-z0-9]+/g, '-');

export const containedValueSet = (id: string, ...labels: string[]): ValueSet => ({
  resourceType: 'ValueSet',
  id,
  compose: {
    include: [
      { system: 'http://example.org/codes', concept: labels.map((display) => ({ code: slug(display), display })) },
    ],
  },
});

export const group = (linkId: string, text: string, item: Item[], more: Partial<Item> = {}): Item => ({
  linkId,
  text,
  type: 'group',
  ...more,
  item,
});
export const ask = (linkId: string, text: string, type: string, more: Partial<Item> = {}): Item => ({
  linkId,
  text,
  type,
  ...more,
});
export const choice = (linkId: string, text: string, answerOption: AnswerOption[], more: Partial<Item> = {}): Item => ({
  linkId,
  text,
  type: 'choice',
  answerOption,
  ...more,
});
export const whenCode = (question: string, display: string, operator: EnableWhen['operator'] = '='): EnableWhen => ({
  question,
  operator,
  answerCoding: coding(display),
});
export const whenYes = (question: string, answerBoolean = true): EnableWhen => ({
  question,
  operator: '=',
  answerBoolean,
});
