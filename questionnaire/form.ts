import type { Language } from './language.ts';
import {
  expressionOf,
  extensionOf,
  extensionsOf,
  isFlagged,
  numberOf,
  textOf,
  translated,
  urls,
} from './extensions.ts';
import { optionFor, optionsOf, unitsOf, type Option, type Unit } from './options.ts';
import {
  itemTypes,
  type Item,
  type ItemType,
  type Operator,
  type Questionnaire,
  type TypedValue,
} from './questionnaire.ts';
import { isRecord, type Value } from './values.ts';

/** A lowest or highest value: written down, or counted from the day it is filled (`today() - 18 years`). */
export type Limit = Value | { today: number; unit: 'day' | 'month' | 'year' };

/** One thing that must hold about another item before this one is asked. */
export interface Condition {
  question: string;
  operator: Operator;
  expected: Value | undefined;
}

/** An item with everything a screen and the rules need, read out of its extensions once. */
export interface FormItem {
  linkId: string;
  type: ItemType | 'unknown';
  /** The item as the questionnaire has it. */
  source: Item;
  parent: FormItem | undefined;
  children: FormItem[];
  /** Help, prompts, and the words at a slider's ends: shown with the question, never asked. */
  hints: FormItem[];
  /** The repeating items around it, outermost first: its answers are kept under one number for each. */
  within: FormItem[];
  /** How many items it is, with everything below it. */
  size: number;
  /** It repeats with what is below it, or something below it does. */
  hasRepetitions: boolean;
  /** It can be answered. */
  isQuestion: boolean;
  required: boolean;
  repeats: boolean;
  readOnly: boolean;
  /** Kept and calculated, never shown. */
  hidden: boolean;
  household: boolean;
  signature: boolean;
  /** How it wants to be shown: `radio-button`, `check-box`, `drop-down`, `autocomplete`, `slider`, `page`, … */
  control: string | undefined;
  horizontal: boolean;
  options: Option[];
  /** The patient may enter text instead of an option: an open choice, or a value set that is not in the file. */
  takesOther: boolean;
  conditions: Condition[];
  behavior: 'all' | 'any';
  minOccurs: number;
  maxOccurs: number;
  minLength: number | undefined;
  maxLength: number | undefined;
  min: Limit | undefined;
  max: Limit | undefined;
  step: number | undefined;
  maxDecimals: number | undefined;
  /** What the whole answer must fit. */
  regex: string | undefined;
  units: Unit[];
  mimeTypes: string[];
  maxBytes: number | undefined;
  initial: Value[];
  calculated: string | undefined;
  enabledBy: string | undefined;
  initialBy: string | undefined;
}

/** A questionnaire made ready: its items in order, each found by its name. */
export interface Form {
  questionnaire: Questionnaire;
  items: FormItem[];
  /** Every item, in the order of the questionnaire. */
  all: FormItem[];
  byLinkId: ReadonlyMap<string, FormItem>;
  usesExpressions: boolean;
}

/** The item that stands for a signature the questionnaire as a whole demands; in the response it is an extension, not an item. */
export const rootSignature = '$signature';

const ready = new WeakMap<Questionnaire, Form>();
const knownTypes: readonly string[] = itemTypes;
const hintControls: readonly string[] = ['help', 'flyover', 'prompt', 'unit', 'lower', 'upper', 'legal'];

/** The form of a questionnaire; made once for each questionnaire object. */
export function formOf(questionnaire: Questionnaire): Form {
  const known = ready.get(questionnaire);
  if (known) return known;
  const form = makeReady(questionnaire);
  ready.set(questionnaire, form);
  return form;
}

function makeReady(questionnaire: Questionnaire): Form {
  const all: FormItem[] = [];
  const byLinkId = new Map<string, FormItem>();

  const makeItem = (source: Item, parent: FormItem | undefined): FormItem => {
    const item = readItem(source, parent, questionnaire);
    all.push(item);
    if (!byLinkId.has(item.linkId)) byLinkId.set(item.linkId, item);
    for (const child of source.item ?? []) {
      const made = makeItem(child, item);
      if (isHint(made)) item.hints.push(made);
      else item.children.push(made);
      item.size += made.size;
    }
    item.hasRepetitions =
      item.children.some((child) => child.hasRepetitions) || (item.repeats && item.children.length > 0);
    return item;
  };
  const items = (questionnaire.item ?? []).map((source) => makeItem(source, undefined));
  if (extensionOf(questionnaire, urls.signatureRequired)) items.push(makeItem(wholeSignature, undefined));
  for (const item of all) item.within = repeatingAround(item);
  const usesExpressions = all.some((item) => item.calculated ?? item.enabledBy ?? item.initialBy);
  return { questionnaire, items, all, byLinkId, usesExpressions };
}

const wholeSignature: Item = {
  linkId: rootSignature,
  type: 'attachment',
  text: 'Signature',
  required: true,
  _text: {
    extension: [
      {
        url: urls.translation,
        extension: [
          { url: 'lang', valueCode: 'es' },
          { url: 'content', valueString: 'Firma' },
        ],
      },
    ],
  },
  extension: [{ url: urls.signatureRequired }],
};

function readItem(source: Item, parent: FormItem | undefined, questionnaire: Questionnaire): FormItem {
  const type = knownTypes.includes(source.type) ? (source.type as ItemType) : 'unknown';
  const isQuestion = type !== 'group' && type !== 'display' && type !== 'unknown';
  const isChoice = type === 'choice' || type === 'open-choice';
  const options = isQuestion ? optionsOf(source, questionnaire) : [];
  const signature = type === 'attachment' && extensionOf(source, urls.signatureRequired) !== undefined;
  const megabytes = numberOf(source, urls.maxSize);
  const required = source.required === true && type !== 'display' && type !== 'unknown';
  const repeats = source.repeats === true && type !== 'display' && type !== 'unknown' && !signature;
  return {
    linkId: source.linkId,
    type,
    source,
    parent,
    children: [],
    hints: [],
    within: [],
    size: 1,
    hasRepetitions: false,
    isQuestion,
    required,
    repeats,
    readOnly: source.readOnly === true,
    hidden: isFlagged(source, urls.hidden),
    household: isFlagged(source, urls.household) || parent?.household === true,
    signature,
    control: controlOf(source),
    horizontal: textOf(source, urls.choiceOrientation) === 'horizontal',
    options,
    takesOther: type === 'open-choice' || (isChoice && options.length === 0),
    conditions: (source.enableWhen ?? []).map(({ question, operator, ...expected }) => ({
      question,
      operator,
      expected: Object.values(expected).find((value) => value !== undefined) as Value | undefined,
    })),
    behavior: source.enableBehavior ?? 'all',
    minOccurs: Math.max(numberOf(source, urls.minOccurs) ?? 0, required ? 1 : 0),
    maxOccurs: Math.max(repeats ? (numberOf(source, urls.maxOccurs) ?? Infinity) : 1, 1),
    minLength: numberOf(source, urls.minLength),
    maxLength: source.maxLength,
    min: limitOf(source, urls.minValue) ?? limitOf(source, urls.minQuantity),
    max: limitOf(source, urls.maxValue) ?? limitOf(source, urls.maxQuantity),
    step: numberOf(source, urls.sliderStep),
    maxDecimals: numberOf(source, urls.maxDecimalPlaces),
    regex: textOf(source, urls.regex),
    units: unitsOf(source, questionnaire),
    mimeTypes: extensionsOf(source, urls.mimeType).flatMap(({ valueCode }) =>
      typeof valueCode === 'string' ? [valueCode] : [],
    ),
    maxBytes: megabytes === undefined ? undefined : megabytes * 1_000_000,
    initial: initialOf(source, options, type),
    calculated: expressionOf(extensionOf(source, urls.calculated))?.expression,
    enabledBy: expressionOf(extensionOf(source, urls.enabledBy))?.expression,
    initialBy: expressionOf(extensionOf(source, urls.initialBy))?.expression,
  };
}

function isHint({ type, parent, control, conditions }: FormItem): boolean {
  if (type !== 'display' || !parent) return false;
  return conditions.length === 0 && hintControls.includes(control ?? (parent.isQuestion ? 'help' : ''));
}

/** The help, prompts and legal words shown with a question or a group; the words at a slider's ends stand at the slider. */
export function helpOf({ hints }: FormItem): FormItem[] {
  return hints.filter(({ control, hidden }) => control !== 'lower' && control !== 'upper' && !hidden);
}

/** A person can answer it. What is calculated, read-only or hidden is never missing: nobody could add it. */
export function canBeAnswered({ isQuestion, readOnly, hidden, calculated }: FormItem): boolean {
  return isQuestion && !readOnly && !hidden && calculated === undefined;
}

/** A repeating question with follow-ups repeats them too, once for each of its answers. */
function repeatingAround(item: FormItem): FormItem[] {
  const around: FormItem[] = [];
  const isNote = item.type === 'display' && item.parent?.isQuestion;
  for (let one = isNote ? item.parent?.parent : item.parent; one; one = one.parent)
    if (one.repeats) around.unshift(one);
  return around;
}

function controlOf(source: Item): string | undefined {
  const concept = extensionOf(source, urls.itemControl)?.['valueCodeableConcept'];
  const codings = isRecord(concept) ? concept['coding'] : undefined;
  const codes: unknown[] = Array.isArray(codings) ? codings.map((one: unknown) => isRecord(one) && one['code']) : [];
  return codes.find((code) => typeof code === 'string') as string | undefined;
}

function limitOf(source: Item, url: string): Limit | undefined {
  const found = extensionOf(source, url);
  if (!found) return undefined;
  for (const [name, value] of Object.entries(found)) {
    if (!name.startsWith('value')) continue;
    if (typeof value === 'number' || typeof value === 'string') return value;
    if (isRecord(value) && typeof value['value'] === 'number') return value;
  }
  return countedFromToday(found as unknown as Record<string, unknown>);
}

/** `today()`, `today() - 18 years`: the one expression that is understood without the expression library. */
function countedFromToday(limit: Record<string, unknown>): Limit | undefined {
  const beside = limit['_valueDate'] ?? limit['_valueDateTime'] ?? limit;
  if (!isRecord(beside)) return undefined;
  const found = extensionOf(beside, urls.calculatedValue) ?? extensionOf(beside, urls.cqfExpression);
  const said = /^\s*today\(\)\s*(?:([+-])\s*(\d{1,4})\s*'?(day|month|year)s?'?)?\s*$/.exec(
    expressionOf(found)?.expression ?? '',
  );
  if (!said) return undefined;
  const [, sign, count, unit] = said;
  return { today: Number(count ?? 0) * (sign === '-' ? -1 : 1), unit: (unit ?? 'day') as 'day' | 'month' | 'year' };
}

function initialOf(source: Item, options: readonly Option[], type: FormItem['type']): Value[] {
  const selected = options.filter((option) => option.initial).map(({ value }) => value);
  if (selected.length > 0) return selected;
  if (type === 'group' || type === 'display' || type === 'unknown') return [];
  return (source.initial ?? [])
    .map(valueIn)
    .filter((value) => value !== undefined)
    .map((value) => optionFor(options, value)?.value ?? value);
}

/** The value of a `value[x]`, whichever x it is. */
export function valueIn(typed: TypedValue): Value | undefined {
  for (const [name, value] of Object.entries(typed))
    if (name.startsWith('value') && value !== undefined) return value as Value;
  return undefined;
}

/** An item's question in that language. */
export function wordsOf({ source }: FormItem, language: Language): string {
  return translated(source.text, source._text, language);
}

/** What stands before the question: '1.', 'a)'. */
export function prefixOf({ source }: FormItem, language: Language): string {
  return translated(source.prefix, source._prefix, language);
}

/** How it should be written ('MM/DD/YYYY'), in that language; empty when the questionnaire does not say. */
export function entryFormatOf({ source }: FormItem, language: Language): string {
  const found = extensionOf(source, urls.entryFormat) as
    (Record<string, unknown> & { valueString?: unknown }) | undefined;
  const format = typeof found?.valueString === 'string' ? found.valueString : undefined;
  return translated(format, isRecord(found?.['_valueString']) ? found['_valueString'] : undefined, language);
}

/** The questionnaire's title in that language. */
export function titleOf({ title, _title, name }: Questionnaire, language: Language): string {
  return translated(title ?? name, _title, language);
}
