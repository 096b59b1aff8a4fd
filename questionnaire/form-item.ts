import { expressionOf, extensionOf, extensionsOf, isFlagged, numberOf, textOf, urls } from './extensions.ts';
import { optionFor, optionsOf, unitsOf, type Option, type Unit } from './options.ts';
import { itemTypes, type Item, type ItemType, type Operator, type Questionnaire } from './questionnaire.ts';
import { dayCountedFromToday, limitOf, type Limit } from './value-limits.ts';
import { isRecord, valueIn, type Value } from './values.ts';

/** What may be known about a patient before a form is opened. */
export const knownFacts = ['name', 'birth-date', 'age', 'phone', 'filled-by', 'adult-name'] as const;
export type KnownFact = (typeof knownFacts)[number];

/** One condition on another item's answer, for this item to be asked. */
export interface Condition {
  question: string;
  operator: Operator;
  /** A day may be counted from the day the form is filled in. */
  expected: Limit | undefined;
}

/** An item with everything that screens and rules need, read from its extensions once. */
export interface FormItem {
  linkId: string;
  type: ItemType | 'unknown';
  /** The item as the questionnaire has it. */
  source: Item;
  parent: FormItem | undefined;
  children: FormItem[];
  /** Help, prompts and the labels of a slider's ends: shown with the question, never asked. */
  hints: FormItem[];
  /** The repeating items around it, outermost first: the key of its answers has an index for each. */
  within: FormItem[];
  /** How many items it is, with everything below it. */
  size: number;
  /** Whether it repeats, or an item below it does. */
  hasRepetitions: boolean;
  /** Whether it is a question: neither a group nor a display text, and of a known type. */
  isQuestion: boolean;
  required: boolean;
  repeats: boolean;
  readOnly: boolean;
  /** Stored and calculated, but never shown. */
  hidden: boolean;
  /** Who sees it and the items inside: those who read the answers, those who fill in the form, or both. */
  shownTo: 'readers' | 'fillers' | 'all';
  household: boolean;
  /** How much of a date is asked for. */
  datePrecision: 'year' | 'month' | 'day';
  /** The patient was alive then. */
  sinceBirth: boolean;
  /** Its answers are filled in from the patient's visit before, to be confirmed. */
  carriedOver: boolean;
  /** What is known about the patient and answers it. */
  known: KnownFact | undefined;
  /** A length in inches that is asked for in feet and inches. */
  feetAndInches: boolean;
  /** Whether it is shown on the page of the top-level item before it. */
  samePage: boolean;
  signature: boolean;
  /** How to show it: `radio-button`, `check-box`, `drop-down`, `autocomplete`, `slider`, `page`, … */
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
  /** The pattern that the whole answer must fit. */
  regex: string | undefined;
  units: Unit[];
  mimeTypes: string[];
  maxBytes: number | undefined;
  initial: Value[];
  calculated: string | undefined;
  enabledBy: string | undefined;
  initialBy: string | undefined;
}

const precisions = ['year', 'month'] as const;
const knownTypes: readonly string[] = itemTypes;
const hintControls: readonly string[] = ['help', 'flyover', 'prompt', 'unit', 'lower', 'upper', 'legal'];

/** Reads an item of the questionnaire. Its place among the others (children, hints, repetitions) is filled in by `formOf`. */
export function createFormItem(source: Item, parent: FormItem | undefined, questionnaire: Questionnaire): FormItem {
  const type = knownTypes.includes(source.type) ? (source.type as ItemType) : 'unknown';
  const isQuestion = type !== 'group' && type !== 'display' && type !== 'unknown';
  const options = isQuestion ? optionsOf(source, questionnaire) : [];
  const signature = type === 'attachment' && extensionOf(source, urls.signatureRequired) !== undefined;
  const isAnswerable = isQuestion || type === 'group';
  const required = isAnswerable && source.required === true;
  const repeats = isAnswerable && source.repeats === true && !signature;
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
    shownTo: shownToOf(source, parent),
    household: isFlagged(source, urls.household) || parent?.household === true,
    carriedOver: carriedOverOf(source, parent),
    known: knownFacts.find((fact) => fact === textOf(source, urls.known)),
    datePrecision: precisions.find((one) => one === textOf(source, urls.datePrecision)) ?? 'day',
    sinceBirth: isFlagged(source, urls.sinceBirth),
    feetAndInches: isFlagged(source, urls.feetAndInches),
    samePage: parent === undefined && isFlagged(source, urls.samePage),
    signature,
    control: controlOf(source),
    horizontal: textOf(source, urls.choiceOrientation) === 'horizontal',
    options,
    takesOther: type === 'open-choice' || (type === 'choice' && options.length === 0),
    conditions: conditionsOf(source),
    behavior: source.enableBehavior ?? 'all',
    minOccurs: Math.max(numberOf(source, urls.minOccurs) ?? 0, required ? 1 : 0),
    maxOccurs: repeats ? Math.max(numberOf(source, urls.maxOccurs) ?? Infinity, 1) : 1,
    minLength: numberOf(source, urls.minLength),
    maxLength: source.maxLength,
    min: limitOf(source, urls.minValue) ?? limitOf(source, urls.minQuantity),
    max: limitOf(source, urls.maxValue) ?? limitOf(source, urls.maxQuantity),
    step: numberOf(source, urls.sliderStep),
    maxDecimals: numberOf(source, urls.maxDecimalPlaces),
    regex: textOf(source, urls.regex),
    units: unitsOf(source, questionnaire),
    mimeTypes: mimeTypesOf(source),
    maxBytes: maxBytesOf(source),
    initial: isQuestion ? initialOf(source, options) : [],
    calculated: expressionIn(source, urls.calculated),
    enabledBy: expressionIn(source, urls.enabledBy),
    initialBy: expressionIn(source, urls.initialBy),
  };
}

/** A display item that belongs to the question or group above it. One with a condition or for some readers only stands on its own. */
export function isHint({ type, parent, control, conditions, shownTo }: FormItem): boolean {
  if (type !== 'display' || !parent) return false;
  return (
    conditions.length === 0 &&
    shownTo === parent.shownTo &&
    hintControls.includes(control ?? (parent.isQuestion ? 'help' : ''))
  );
}

/** The help, prompts and legal texts shown with a question or a group. The labels of a slider's ends are shown at the slider. */
export function helpOf({ hints }: FormItem): FormItem[] {
  return hints.filter(({ control, hidden }) => control !== 'lower' && control !== 'upper' && !hidden);
}

/** Whether nobody sees the item: it is hidden, or a group around it is. */
export const isHidden = ({ hidden, parent }: FormItem): boolean => hidden || (parent !== undefined && isHidden(parent));

/** Whether the item takes only files that no photo can be, such as PDFs. Phones offer photos only. */
export const takesNoPhoto = ({ type, signature, mimeTypes }: FormItem): boolean =>
  type === 'attachment' &&
  !signature &&
  mimeTypes.length > 0 &&
  !mimeTypes.some((mimeType) => /^(image|\*)\//.test(mimeType));

/** Whether a person who fills in the form can change the answer, also one that is calculated. */
export function canBeChanged(item: FormItem): boolean {
  return isEditable(item) && item.shownTo !== 'readers' && !takesNoPhoto(item);
}

/** Whether a person sees the answer and may change it, wherever it is shown. */
export const isEditable = (item: FormItem): boolean => item.isQuestion && !item.readOnly && !isHidden(item);

/** Whether a person has to answer it. What is calculated or cannot be changed is never missing: nobody could answer it. */
export const canBeAnswered = (item: FormItem): boolean => item.calculated === undefined && canBeChanged(item);

/** Whether a choice has nothing to choose and takes no text: every option is switched off. */
export const offersNothing = ({
  type,
  options,
  takesOther,
}: Pick<FormItem, 'type' | 'options' | 'takesOther'>): boolean =>
  (type === 'choice' || type === 'open-choice') && options.length === 0 && !takesOther;

function shownToOf(source: Item, parent: FormItem | undefined): FormItem['shownTo'] {
  if (parent && parent.shownTo !== 'all') return parent.shownTo;
  const mode = textOf(source, urls.usageMode);
  return mode === 'capture' ? 'fillers' : mode?.startsWith('display') ? 'readers' : 'all';
}

/** Whether the item is left out where answers are read: it is for filling in only, or for answers that are there. */
export const isLeftOutForReaders = ({ shownTo, source, isQuestion }: FormItem, hasAnswer: boolean): boolean =>
  shownTo === 'fillers' ||
  (isQuestion && !hasAnswer && (textOf(source, urls.usageMode)?.endsWith('non-empty') ?? false));

function carriedOverOf(source: Item, parent: FormItem | undefined): boolean {
  const flag = extensionOf(source, urls.carriedOver)?.['valueBoolean'];
  return typeof flag === 'boolean' ? flag : (parent?.carriedOver ?? false);
}

const controlOf = (source: Item) => codeOf(source, urls.itemControl) ?? controlOfCategory(source);

/** Texts that belong to what is above them. A note on who may see the answers (`security`) looks like a legal text; instructions stand on their own. */
const categoryControls = new Map([
  ['help', 'help'],
  ['legal', 'legal'],
  ['security', 'legal'],
]);

/** How to show a text by what it is for. */
function controlOfCategory(source: Item): string | undefined {
  const category = source.type === 'display' ? codeOf(source, urls.displayCategory) : undefined;
  return category === undefined ? undefined : categoryControls.get(category);
}

function codeOf(source: Item, url: string): string | undefined {
  const concept = extensionOf(source, url)?.['valueCodeableConcept'];
  const codings = isRecord(concept) ? concept['coding'] : undefined;
  const codes: unknown[] = Array.isArray(codings) ? codings.map((one: unknown) => isRecord(one) && one['code']) : [];
  return codes.find((code) => typeof code === 'string') as string | undefined;
}

function conditionsOf(source: Item): Condition[] {
  return (source.enableWhen ?? []).map(({ question, operator, _answerDate, ...expected }) => ({
    question,
    operator,
    expected: (_answerDate && dayCountedFromToday(_answerDate)) ?? (Object.values(expected)[0] as Value | undefined),
  }));
}

function mimeTypesOf(source: Item): string[] {
  const types = extensionsOf(source, urls.mimeType).map(({ valueCode }) => valueCode);
  return types.filter((type) => typeof type === 'string');
}

function maxBytesOf(source: Item): number | undefined {
  const megabytes = numberOf(source, urls.maxSize);
  return megabytes === undefined ? undefined : megabytes * 1_000_000;
}

function expressionIn(source: Item, url: string): string | undefined {
  return expressionOf(extensionOf(source, url))?.expression;
}

function initialOf(source: Item, options: readonly Option[]): Value[] {
  const selected = options.filter((option) => option.initial).map(({ value }) => value);
  if (selected.length > 0) return selected;
  return (source.initial ?? [])
    .map(valueIn)
    .filter((value) => value !== undefined)
    .map((value) => optionFor(options, value)?.value ?? value);
}
