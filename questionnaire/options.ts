import type { Language } from './language/language.ts';
import { extensionOf, extensionsOf, isFlagged, numberOf, textOf, translationOf, urls } from './extensions.ts';
import type {
  AnswerOption,
  FhirElement,
  Coding,
  Concept,
  Extension,
  Item,
  Questionnaire,
  ValueSet,
} from './questionnaire.ts';
import { isCoding, isRecord, isSameValue, type Value } from './values.ts';

export interface Option {
  /** The value that is stored when the option is chosen. */
  value: Value;
  /** Which `value[x]` it is in FHIR. */
  kind: 'valueCoding' | 'valueString' | 'valueInteger' | 'valueDate' | 'valueTime' | 'valueReference';
  source: AnswerOption;
  initial: boolean;
  /** Choosing it clears all others: 'None of these'. */
  exclusive: boolean;
  /** What it adds to a score. */
  score: number | undefined;
}

/** A unit for an amount. */
export type Unit = Coding;

/** The lists of one contained value set. They are built once: thousands of items may use the same large value set. */
interface Lists {
  set: ValueSet;
  options?: Option[];
  units?: Unit[];
}

const containedLists = new WeakMap<Questionnaire, Map<string, Lists>>();

/** Every contained value set under the names items refer to it by: `#id` and its address. */
function listsIn(questionnaire: Questionnaire): Map<string, Lists> {
  let known = containedLists.get(questionnaire);
  if (!known) {
    containedLists.set(questionnaire, (known = new Map()));
    for (const set of questionnaire.contained ?? []) {
      if (set.resourceType !== 'ValueSet') continue;
      const names = [set.id?.startsWith('#') ? set.id : set.id !== undefined && `#${set.id}`, set.url];
      const lists: Lists = { set };
      for (const name of names) if (name && !known.has(name)) known.set(name, lists);
    }
  }
  return known;
}

function listsOf(reference: string, questionnaire: Questionnaire): Lists | undefined {
  const name = reference.startsWith('#') ? reference : (reference.split('|')[0] ?? '');
  return listsIn(questionnaire).get(name);
}

const noOptions: Option[] = [];

/** The options of a choice, from the item or from a value set inside the questionnaire. */
export function optionsOf(item: Item, questionnaire: Questionnaire): Option[] {
  const own = item.answerOption ?? [];
  if (own.length > 0) return withoutDoubles(own.flatMap(readOption));
  if (!item.answerValueSet) return noOptions;
  const lists = listsOf(item.answerValueSet, questionnaire);
  if (!lists) return noOptions;
  lists.options ??= withoutDoubles(
    conceptsOf(lists.set).flatMap((concept) =>
      readOption({ valueCoding: concept, ...(concept.extension && { extension: concept.extension }) }),
    ),
  );
  return lists.options;
}

const indexes = new WeakMap<readonly Option[], Map<string, Option[]>>();

/** The option with that value. Looked up in an index: a list may hold thousands of options. */
export function optionFor(options: readonly Option[], value: unknown): Option | undefined {
  const isByDisplay = isCoding(value) && value.code === undefined;
  if (options.length < 20 || isByDisplay) return options.find((option) => isSameValue(option.value, value));
  let index = indexes.get(options);
  if (!index) {
    index = new Map();
    for (const option of options) {
      const name = indexName(option.value);
      const same = index.get(name);
      if (same) same.push(option);
      else index.set(name, [option]);
    }
    indexes.set(options, index);
  }
  return index.get(indexName(value))?.find((option) => isSameValue(option.value, value));
}

/** Equal for any two values that are the same by `isSame`. */
function indexName(value: unknown): string {
  if (!isRecord(value)) return `${typeof value} ${String(value)}`;
  if ('reference' in value) return `reference ${String(value['reference'])}`;
  return value['code'] === undefined ? `display ${String(value['display'])}` : `code ${String(value['code'])}`;
}

/** Options as a screen offers them, each once. */
export const optionsFrom = (sources: readonly AnswerOption[]): Option[] => withoutDoubles(sources.flatMap(readOption));

/** Without options that are listed a second time. */
function withoutDoubles(options: Option[]): Option[] {
  const seen = new Set<string>();
  return options.filter(({ value }) => {
    const { display: _, ...name } = isCoding(value) && value.code !== undefined ? value : { value, display: '' };
    const key = JSON.stringify(name);
    return !seen.has(key) && seen.add(key);
  });
}

/** The units offered for an amount: listed, in a contained value set, or the one unit the item is in. */
export function unitsOf(item: Item, questionnaire: Questionnaire): Unit[] {
  const listed = extensionsOf(item, urls.unitOption)
    .map(({ valueCoding }) => valueCoding)
    .filter(isCoding);
  if (listed.length > 0) return listed;
  const set = textOf(item, urls.unitValueSet);
  const lists = set === undefined ? undefined : listsOf(set, questionnaire);
  if (lists) return (lists.units ??= conceptsOf(lists.set));
  const fixed = extensionOf(item, urls.unit)?.['valueCoding'];
  return isCoding(fixed) ? [fixed] : [];
}

/** A value set inside the questionnaire, by `#id` or by its URL; undefined if it is not in the file. */
export function containedSet(reference: string, questionnaire: Questionnaire): ValueSet | undefined {
  return listsOf(reference, questionnaire)?.set;
}

function conceptsOf(set: ValueSet): Coding[] {
  const expanded = set.expansion?.contains;
  if (expanded) return flat(expanded).map((concept) => codingOf(concept, concept.system));
  return (set.compose?.include ?? []).flatMap(({ system, concept = [] }) =>
    concept.map((one) => codingOf(one, system)),
  );
}

function flat(concepts: readonly Concept[]): Concept[] {
  return concepts.flatMap((concept) => [
    ...(concept.code === undefined || concept.abstract === true ? [] : [concept]),
    ...flat(concept.contains ?? []),
  ]);
}

function codingOf(
  { code, display, designation = [], _display, extension }: Concept,
  system: string | undefined,
): Coding {
  const translations = designation.flatMap(({ language, value }) =>
    language !== undefined && value !== undefined
      ? [
          {
            url: urls.translation,
            extension: [
              { url: 'lang', valueCode: language },
              { url: 'content', valueString: value },
            ],
          },
        ]
      : [],
  );
  const beside = [...(_display?.extension ?? []), ...translations];
  return {
    ...(system !== undefined && { system }),
    ...(code !== undefined && { code }),
    ...(display !== undefined && { display }),
    ...(beside.length > 0 && { _display: { extension: beside } }),
    ...(extension && { extension }),
  };
}

function readOption(source: AnswerOption): Option[] {
  const kinds = ['valueCoding', 'valueString', 'valueInteger', 'valueDate', 'valueTime', 'valueReference'] as const;
  const kind = kinds.find((one) => source[one] !== undefined);
  if (!kind) return [];
  return [
    {
      value: kind === 'valueCoding' ? plain(source.valueCoding ?? {}) : (source[kind] as Value),
      kind,
      source,
      initial: source.initialSelected === true,
      exclusive: isFlagged(source, urls.optionExclusive) || isFlagged(source.valueCoding, urls.optionExclusive),
      score: scoreOf(source) ?? scoreOf(source.valueCoding),
    },
  ];
}

/** What a code counts by its own extensions. */
export const scoreOf = (element: FhirElement | undefined) =>
  numberOf(element, urls.ordinalValue) ?? numberOf(element, urls.itemWeight);

/** An option's extensions, from its coding and from the option itself, each once. */
export function extensionsOfOption({ source }: Option): Extension[] {
  const ofCoding = source.valueCoding?.extension ?? [];
  const urlsOfCoding = new Set(ofCoding.map(({ url }) => url));
  return [...ofCoding, ...(source.extension ?? []).filter(({ url }) => !urlsOfCoding.has(url))];
}

/** A coding as it is stored in an answer: without translations and extensions. */
function plain({ system, version, code, display }: Coding): Coding {
  return {
    ...(system !== undefined && { system }),
    ...(version !== undefined && { version }),
    ...(code !== undefined && { code }),
    ...(display !== undefined && { display }),
  };
}

/** An option's label in that language. */
export function labelOf({ source, kind }: Option, language: Language): string {
  if (kind === 'valueCoding') return labelOfCoding(source.valueCoding ?? {}, language);
  if (kind === 'valueString') return translationOf(source.valueString, source._valueString, language);
  if (kind === 'valueReference') return source.valueReference?.display ?? source.valueReference?.reference ?? '';
  return String(source[kind] ?? '');
}

/** The label of a code or a unit in that language. */
export function labelOfCoding({ display, _display, code }: Coding, language: Language): string {
  return translationOf(display, _display, language) || (code ?? '');
}

/** The prefix of an option: 'A.'. */
export function optionPrefixOf({ source }: Option): string {
  return textOf(source, urls.optionPrefix) ?? textOf(source.valueCoding, urls.optionPrefix) ?? '';
}
