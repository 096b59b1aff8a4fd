/**
 * Forms in FHIR R4: a Questionnaire asks, a QuestionnaireResponse answers.
 *
 * item: a question, a group of items, or a text to read (`display`).
 * linkId: an item's name inside its questionnaire; answers and conditions refer to it.
 * option: one of the answers a choice offers.
 */

export const itemTypes = [
  'group',
  'display',
  'boolean',
  'decimal',
  'integer',
  'date',
  'dateTime',
  'time',
  'string',
  'text',
  'url',
  'choice',
  'open-choice',
  'quantity',
  'attachment',
  'reference',
] as const;
export type ItemType = (typeof itemTypes)[number];

export const operators = ['exists', '=', '!=', '>', '<', '>=', '<='] as const;
export type Operator = (typeof operators)[number];

export interface Extension {
  url: string;
  extension?: Extension[];
  [value: `value${string}`]: unknown;
}

/** What can carry extensions. A primitive has them in a field of its own (`_text` for `text`), such as its translations. */
export interface FhirElement {
  extension?: Extension[];
}

export interface Coding extends FhirElement {
  system?: string;
  version?: string;
  code?: string;
  display?: string;
  _display?: FhirElement;
}

export interface Quantity {
  value?: number;
  comparator?: string;
  unit?: string;
  system?: string;
  code?: string;
}

export interface Attachment {
  contentType?: string;
  url?: string;
  /** Base64. */
  data?: string;
  title?: string;
  /** Bytes. */
  size?: number;
  /** SHA-1 in base64, as FHIR has it. */
  hash?: string;
  /** A dateTime. */
  creation?: string;
}

export interface Reference {
  reference?: string;
  type?: string;
  display?: string;
}

export interface AnswerOption extends FhirElement {
  valueInteger?: number;
  valueDate?: string;
  valueTime?: string;
  valueString?: string;
  _valueString?: FhirElement;
  valueCoding?: Coding;
  valueReference?: Reference;
  initialSelected?: boolean;
}

export interface EnableWhen {
  question: string;
  operator: Operator;
  answerBoolean?: boolean;
  answerDecimal?: number;
  answerInteger?: number;
  answerDate?: string;
  /** A day counted from today, by the standard `cqf-calculatedValue`. */
  _answerDate?: FhirElement;
  answerDateTime?: string;
  answerTime?: string;
  answerString?: string;
  answerCoding?: Coding;
  answerQuantity?: Quantity;
  answerReference?: Reference;
}

/** One value in `initial` and in answers. */
export interface TypedValue {
  valueBoolean?: boolean;
  valueDecimal?: number;
  valueInteger?: number;
  valueDate?: string;
  valueDateTime?: string;
  valueTime?: string;
  valueString?: string;
  valueUri?: string;
  valueAttachment?: Attachment;
  valueCoding?: Coding;
  valueQuantity?: Quantity;
  valueReference?: Reference;
}

export interface Item extends FhirElement {
  linkId: string;
  definition?: string;
  code?: Coding[];
  prefix?: string;
  _prefix?: FhirElement;
  text?: string;
  _text?: FhirElement;
  /** One of `itemTypes`, or an unknown type: such an item is shown as unknown, never dropped. */
  type: string;
  enableWhen?: EnableWhen[];
  enableBehavior?: 'all' | 'any';
  required?: boolean;
  repeats?: boolean;
  readOnly?: boolean;
  maxLength?: number;
  answerValueSet?: string;
  answerOption?: AnswerOption[];
  initial?: TypedValue[];
  item?: Item[];
}

export interface Concept extends FhirElement {
  system?: string;
  code?: string;
  display?: string;
  _display?: FhirElement;
  designation?: { language?: string; value?: string }[];
  /** It only heads the concepts in it: nobody can choose it. */
  abstract?: boolean;
  /** Nested concepts of an expansion. */
  contains?: Concept[];
}

/** What a value set includes or excludes: listed concepts, those of a code system that fit all filters, or other value sets. */
export interface ValueSetPart {
  system?: string;
  version?: string;
  concept?: Concept[];
  filter?: { property?: string; op?: string; value?: string }[];
  valueSet?: unknown;
}

export interface ValueSet {
  resourceType: string;
  id?: string;
  url?: string;
  compose?: { include?: ValueSetPart[]; exclude?: ValueSetPart[] };
  expansion?: { contains?: Concept[] };
}

export interface Questionnaire extends FhirElement {
  resourceType: 'Questionnaire';
  id?: string;
  url?: string;
  version?: string;
  name?: string;
  title?: string;
  _title?: FhirElement;
  status?: string;
  date?: string;
  publisher?: string;
  description?: string;
  language?: string;
  code?: Coding[];
  contained?: ValueSet[];
  item?: Item[];
}

export interface ResponseAnswer extends TypedValue {
  item?: ResponseItem[];
}

export interface ResponseItem extends FhirElement {
  linkId: string;
  text?: string;
  answer?: ResponseAnswer[];
  item?: ResponseItem[];
}

export interface QuestionnaireResponse extends FhirElement {
  resourceType: 'QuestionnaireResponse';
  questionnaire?: string;
  status: 'in-progress' | 'completed' | 'amended' | 'entered-in-error' | 'stopped';
  authored?: string;
  language?: string;
  item?: ResponseItem[];
}

/** The largest questionnaire that can be loaded; `checkQuestionnaire` refuses larger ones and names the item. */
export const limits = {
  bytes: 5_000_000,
  items: 3000,
  depth: 16,
  /** In one list. */
  options: 5000,
  /** In all lists of a questionnaire together. A value set that several items use counts once. */
  allOptions: 50_000,
  /** Items on the screen, counting each repetition of a group. Repetitions beyond that are neither shown nor filed. */
  positions: 20_000,
  /** How many repetitions of an item a form may start with: the product of the `minOccurs` of the groups around it. */
  startingRepetitions: 1000,
  textLength: 20_000,
} as const;
