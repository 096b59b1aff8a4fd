// The fields of an R4 Questionnaire and its parts that are read.

/** What a field should be; in brackets: a list of it. */
export type Kind = 'text' | 'flag' | 'number' | 'whole' | 'anything' | Shape | readonly [Shape];
export interface Shape {
  readonly [field: string]: Kind | (() => Kind);
}

const beside: Shape = { extension: () => [extension] };
export const extension: Shape = { url: 'text', extension: () => [extension], value: 'anything' };
const coding: Shape = {
  system: 'text',
  version: 'text',
  code: 'text',
  display: 'text',
  _display: beside,
  extension: [extension],
};
const quantity: Shape = { value: 'number', comparator: 'text', unit: 'text', system: 'text', code: 'text' };
const attachment: Shape = {
  contentType: 'text',
  url: 'text',
  data: 'text',
  title: 'text',
  size: 'whole',
  hash: 'text',
  creation: 'text',
};
const reference: Shape = { reference: 'text', type: 'text', display: 'text' };
export const option: Shape = {
  extension: [extension],
  valueInteger: 'whole',
  valueDate: 'text',
  valueTime: 'text',
  valueString: 'text',
  _valueString: beside,
  valueCoding: coding,
  valueReference: reference,
  initialSelected: 'flag',
};
export const enableWhen: Shape = {
  question: 'text',
  operator: 'text',
  answerBoolean: 'flag',
  answerDecimal: 'number',
  answerInteger: 'whole',
  answerDate: 'text',
  _answerDate: beside,
  answerDateTime: 'text',
  answerTime: 'text',
  answerString: 'text',
  answerCoding: coding,
  answerQuantity: quantity,
  answerReference: reference,
};
const typedValue: Shape = {
  valueBoolean: 'flag',
  valueDecimal: 'number',
  valueInteger: 'whole',
  valueDate: 'text',
  valueDateTime: 'text',
  valueTime: 'text',
  valueString: 'text',
  valueUri: 'text',
  valueAttachment: attachment,
  valueCoding: coding,
  valueQuantity: quantity,
  valueReference: reference,
};
export const item: Shape = {
  id: 'text',
  extension: [extension],
  linkId: 'text',
  definition: 'text',
  code: [coding],
  prefix: 'text',
  _prefix: beside,
  text: 'text',
  _text: beside,
  type: 'text',
  enableWhen: [enableWhen],
  enableBehavior: 'text',
  required: 'flag',
  repeats: 'flag',
  readOnly: 'flag',
  maxLength: 'whole',
  answerValueSet: 'text',
  answerOption: [option],
  initial: [typedValue],
  item: () => [item],
};
export const concept: Shape = {
  extension: [extension],
  system: 'text',
  code: 'text',
  display: 'text',
  _display: beside,
  designation: [{ language: 'text', value: 'text' }],
  abstract: 'flag',
  contains: () => [concept],
};
const valueSetPart: Shape = {
  system: 'text',
  version: 'text',
  concept: [concept],
  filter: [{ property: 'text', op: 'text', value: 'text' }],
  valueSet: 'anything',
};
export const valueSet: Shape = {
  resourceType: 'text',
  id: 'text',
  url: 'text',
  compose: { include: [valueSetPart], exclude: [valueSetPart] },
  expansion: { contains: [concept] },
};
/** A concept of a code system: with its properties, and those below it. */
export const definedConcept: Shape = {
  extension: [extension],
  code: 'text',
  display: 'text',
  _display: beside,
  designation: [{ language: 'text', value: 'text' }],
  property: [
    {
      code: 'text',
      valueCode: 'text',
      valueString: 'text',
      valueBoolean: 'flag',
      valueInteger: 'whole',
      valueDecimal: 'number',
      valueDateTime: 'text',
      valueCoding: coding,
    },
  ],
  concept: () => [definedConcept],
};
export const codeSystem: Shape = {
  resourceType: 'text',
  id: 'text',
  url: 'text',
  version: 'text',
  content: 'text',
  concept: [definedConcept],
};
/** A contained value set or code system. Other resources are kept unread: answers are extracted into them. */
export const contained: Shape = { ...codeSystem, ...valueSet };
export const questionnaire: Shape = {
  resourceType: 'text',
  extension: [extension],
  id: 'text',
  url: 'text',
  version: 'text',
  name: 'text',
  title: 'text',
  _title: beside,
  status: 'text',
  date: 'text',
  publisher: 'text',
  description: 'text',
  language: 'text',
  code: [coding],
  contained: [contained],
  item: [item],
  // Taken over unread: who owns the questionnaire, what it is for, and the copyright notice.
  meta: 'anything',
  identifier: 'anything',
  copyright: 'anything',
  purpose: 'anything',
  experimental: 'anything',
  subjectType: 'anything',
  derivedFrom: 'anything',
  contact: 'anything',
  useContext: 'anything',
  jurisdiction: 'anything',
  effectivePeriod: 'anything',
  approvalDate: 'anything',
  lastReviewDate: 'anything',
  _description: 'anything',
};
