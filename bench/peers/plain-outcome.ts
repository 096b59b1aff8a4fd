import type { GeneratedForm } from './generated-forms.ts';
import {
  everyPlace,
  expressionOf,
  extensionsOf,
  isSameChoice,
  meaningOf,
  type ItemPosition,
  type Result,
} from './plain-expressions.ts';
import { fillingDay, latestDays, overwrittenUrl } from './trait-forms.ts';
import type {
  AnswerOption,
  Coding,
  EnableWhen,
  FhirElement,
  Item,
  Questionnaire,
  ResponseItem,
  TypedValue,
} from '#questionnaire/questionnaire.ts';

/** What comes of a form, as texts that can be compared. */
export interface Outcome {
  /** The answers that are left and what is calculated: under each linkId and its repetitions. */
  answers: Map<string, string>;
  /** The questions that are asked, answered or not. */
  asked: Set<string>;
  /** Which answers each choice offers, under the same names. */
  offers: Map<string, string>;
  /** What is missing or wrong, in alphabetical order. */
  problems: string[];
}

/** What can be compared with the engine: all of it but what only this reading tells. */
export type ComparedOutcome = Omit<Outcome, 'asked'>;

/**
 * What comes of a form of `traitForms`, read straight from the specification and from the rules of our documents where it leaves something open.
 * It shares no code with the engine, and knows only what those forms have: it knows each expression by its text.
 */
export function readOutcome({ questionnaire, response }: Pick<GeneratedForm, 'questionnaire' | 'response'>): Outcome {
  const listed = (item: Item) => listedOptions(questionnaire, item);
  const places = placesOf({
    items: questionnaire.item ?? [],
    given: response.item ?? [],
    above: undefined,
    at: [],
    listed,
  });
  const all = everyPlace(places);
  for (const place of all) place.answers = place.given;
  // Conditions look at calculations, and calculations at what conditions leave.
  for (let round = 0; round < 6; round++) {
    for (const place of all) place.isAsked = isAsked(place, all);
    for (const place of all) place.offered = offeredAt(place, all);
    for (const place of all) place.answers = answersAt(place, all).map((value) => byOption(place, value));
  }
  const asked = all.filter((place) => place.isAsked);
  const questions = asked.filter(({ item }) => item.type !== 'group');
  const answered = questions.filter(({ answers }) => answers.length > 0);
  const choices = questions.filter(({ offered }) => offered.length > 0);
  return {
    answers: new Map(answered.map((place) => [nameOf(place), place.answers.map(textOf).join(', ')])),
    asked: new Set(questions.map(nameOf)),
    offers: new Map(choices.map((place) => [nameOf(place), place.offered.map(wordsOf).join(', ')])),
    problems: [
      ...questions.flatMap((place) => problemsAt(place)),
      ...brokenRules(questionnaire, asked, all),
    ].toSorted(),
  };
}

/** What the form begins with, before anybody answers. */
export function readBeginning({ questionnaire }: Pick<GeneratedForm, 'questionnaire'>): Map<string, string> {
  const empty = { resourceType: 'QuestionnaireResponse', status: 'in-progress' } as const;
  const begin = (item: Item): ResponseItem[] => {
    const inside = (item.item ?? []).flatMap(begin);
    const answer = item.type === 'group' ? [] : beginningOf(questionnaire, item);
    if (answer.length === 0 && (inside.length === 0 || item.type !== 'group')) return [];
    return [{ linkId: item.linkId, ...(answer.length > 0 && { answer }), ...(inside.length > 0 && { item: inside }) }];
  };
  return readOutcome({ questionnaire, response: { ...empty, item: (questionnaire.item ?? []).flatMap(begin) } })
    .answers;
}

function beginningOf(questionnaire: Questionnaire, item: Item): TypedValue[] {
  const chosen = (item.answerOption ?? []).filter(({ initialSelected }) => initialSelected);
  const most = item.repeats ? Infinity : 1;
  if (chosen.length > 0) return chosen.slice(0, most).map(({ valueCoding }) => ({ valueCoding }) as TypedValue);
  if (item.initial) return (item.initial as TypedValue[]).slice(0, most);
  const text = expressionOf(item, 'initialExpression');
  return text === undefined ? [] : typedFor(item, listedOptions(questionnaire, item), meaningOf(text, undefined, []));
}

interface Level {
  items: readonly Item[];
  given: readonly ResponseItem[];
  above: ItemPosition | undefined;
  at: readonly number[];
  listed: (item: Item) => AnswerOption[];
}

function placesOf({ items, given, above, at, listed }: Level): ItemPosition[] {
  return items.flatMap((item) => {
    const found = given.filter(({ linkId }) => linkId === item.linkId);
    const make = (one: ResponseItem | undefined, here: readonly number[]): ItemPosition => {
      const answers = (one?.answer ?? []) as (TypedValue & { item?: ResponseItem[] })[];
      const place: ItemPosition = {
        item,
        above,
        at,
        given: answers.map(({ item: _, ...value }) => value),
        isMarked: extensionsOf(one as FhirElement | undefined, overwrittenUrl).length > 0,
        answers: [],
        isAsked: true,
        listed: listed(item),
        offered: [],
        inside: [],
      };
      const isGroup = item.type === 'group';
      const below = (inside: ResponseItem[] = [], index = here) =>
        placesOf({ items: item.item ?? [], given: inside, above: place, at: index, listed });
      place.inside = isGroup
        ? [below(one?.item)]
        : answers.map(({ item: inside }, i) => below(inside, item.repeats ? [...here, i] : here));
      return place;
    };
    if (item.type !== 'group' || !item.repeats) return [make(found[0], at)];
    return Array.from({ length: Math.max(found.length, 1) }, (_, i) => make(found[i], [...at, i]));
  });
}

const nameOf = ({ item, at }: ItemPosition) => [item.linkId, ...at].join(' ');

/** A choice may be answered by the words of one of the options that it offers, which then is the answer. */
function byOption({ item, offered }: ItemPosition, value: TypedValue): TypedValue {
  const { valueCoding, valueString } = value;
  if (item.type !== 'choice' && item.type !== 'open-choice') return value;
  const display = valueCoding?.code === undefined ? (valueCoding?.display ?? valueString) : undefined;
  const named = display === undefined ? undefined : offered.find((option) => option.valueCoding?.display === display);
  return named?.valueCoding ? { valueCoding: named.valueCoding } : value;
}

function isAsked(place: ItemPosition, all: readonly ItemPosition[]): boolean {
  const { item, above } = place;
  if (above && !above.isAsked) return false;
  const byExpression = expressionOf(item, 'enableWhenExpression');
  if (byExpression !== undefined && meaningOf(byExpression, place, all)[0] !== true) return false;
  const holds = (condition: EnableWhen) => isMet(condition, place, all);
  return (item.enableWhen ?? []).every(holds);
}

/** A condition looks at the question in its own repetition, else at the one outside of repetitions. */
function isMet(condition: EnableWhen, place: ItemPosition, all: readonly ItemPosition[]): boolean {
  const seen = all.filter(
    ({ item, at, isAsked: isThere }) =>
      isThere && item.linkId === condition.question && at.every((index, i) => place.at[i] === index),
  );
  const values = seen.flatMap(({ answers }) => answers);
  if (condition.operator === 'exists') return values.length > 0 === condition.answerBoolean;
  if (condition.operator === '=') return values.some(({ valueBoolean }) => valueBoolean === condition.answerBoolean);
  if (condition.operator === '!=') return !values.some(({ valueBoolean }) => valueBoolean === condition.answerBoolean);
  return values.some(({ valueInteger }) => (valueInteger ?? -1) >= (condition.answerInteger as number));
}

/** The result of a calculation replaces the answer, unless a person overwrote it. Without one a person may answer, where anybody can. */
function answersAt(place: ItemPosition, all: readonly ItemPosition[]): TypedValue[] {
  const { item, isMarked, given } = place;
  const text = expressionOf(item, 'calculatedExpression');
  if (text === undefined || (isMarked && isChangeable(place))) return given;
  const result = typedFor(item, place.listed, meaningOf(text, place, all));
  return result.length > 0 || !isChangeable(place) ? result : given;
}

/** Whether the person who fills in the form can give another answer. */
const isChangeable = (place: ItemPosition): boolean => place.item.readOnly !== true && !isHidden(place);
const isHidden = ({ item, above }: ItemPosition): boolean =>
  extensionsOf(item, 'questionnaire-hidden').some(({ valueBoolean }) => valueBoolean === true) ||
  (above !== undefined && isHidden(above));

/** A result as answers to that item, rounded as the item allows it. */
function typedFor(
  { type, repeats, extension = [] }: Item,
  listed: readonly AnswerOption[],
  results: readonly Result[],
): TypedValue[] {
  const places = extension.find(({ url }) => url.endsWith('maxDecimalPlaces'))?.['valueInteger'] as number | undefined;
  const typed = results.map((result): TypedValue => {
    if (type === 'boolean') return { valueBoolean: result as boolean };
    if (type === 'integer') return { valueInteger: result as number };
    if (type === 'decimal')
      return {
        valueDecimal:
          places === undefined ? (result as number) : Math.round((result as number) * 10 ** places) / 10 ** places,
      };
    if (type === 'date') return { valueDate: result as string };
    if (type === 'choice' || type === 'open-choice') {
      const named = listed.find((option) => isSameChoice(option, { valueCoding: result as Coding }));
      return { valueCoding: named?.valueCoding ?? (result as Coding) };
    }
    return { valueString: String(result) };
  });
  return typed.slice(0, repeats ? undefined : 1);
}

/** The options that the questionnaire lists for an item, or in the value set that it names. */
function listedOptions({ contained = [] }: Questionnaire, { answerOption = [], answerValueSet }: Item): AnswerOption[] {
  const set = answerValueSet && contained.find(({ id }) => `#${id}` === answerValueSet);
  const included = set ? (set.compose?.include ?? []) : [];
  const concepts = included.flatMap(({ system, concept = [] }) =>
    concept.map((one) => ({ valueCoding: { system, ...one } })),
  );
  return set ? (concepts as AnswerOption[]) : answerOption;
}

function offeredAt(place: ItemPosition, all: readonly ItemPosition[]): AnswerOption[] {
  const { item } = place;
  const answers = expressionOf(item, 'answerExpression');
  if (answers !== undefined)
    return meaningOf(answers, place, all).map((valueCoding) => ({ valueCoding: valueCoding as Coding }));
  const [toggle] = extensionsOf(item, 'answerOptionsToggleExpression');
  if (!toggle) return place.listed;
  const text = expressionOf(toggle as FhirElement, 'expression') ?? '';
  const switched = (toggle.extension ?? [])
    .filter(({ url }) => url === 'option')
    .map((one) => (one['valueCoding'] as Coding).code);
  const isOn = meaningOf(text, place, all)[0] === true;
  return place.listed.filter(({ valueCoding }) => isOn || !switched.includes(valueCoding?.code));
}

/** What is wrong with the answers to a question. Nothing is, where nobody can change them. */
function problemsAt(place: ItemPosition): string[] {
  const { item, answers, offered } = place;
  if (!isChangeable(place)) return [];
  const found: string[] = [];
  const isChoiceItem = item.type === 'choice' || item.type === 'open-choice';
  const excluding = offered.filter((option) => extensionsOf(option, 'questionnaire-optionExclusive').length > 0);
  const isCalculated = expressionOf(item, 'calculatedExpression') !== undefined;
  const least = Math.max(numberIn(item, 'questionnaire-minOccurs') ?? 0, item.required ? 1 : 0);
  const most = item.repeats ? (numberIn(item, 'questionnaire-maxOccurs') ?? Infinity) : 1;
  const choosable = item.type === 'choice' ? Math.max(offered.length - excluding.length, 1) : Infinity;
  const fewest = isCalculated ? 0 : Math.min(least, choosable);
  if (answers.length === 0) return fewest > 0 ? [`required ${nameOf(place)}`] : [];
  if (answers.length < fewest) found.push('too_few');
  if (answers.length > most) found.push('too_many');
  found.push(
    ...answers.flatMap((answer) => (isChoiceItem ? choiceProblem(place, answer) : limitProblem(item, answer))),
  );
  const isExcluding = answers.some((answer) => excluding.some((option) => isSameChoice(option, answer)));
  if (answers.length > 1 && isExcluding) found.push('only_alone');
  return found.map((code) => `${code} ${nameOf(place)}`);
}

function choiceProblem({ item, offered }: ItemPosition, answer: TypedValue): string[] {
  if (offered.some((option) => isSameChoice(option, answer))) return [];
  const isOwnWords = answer.valueString !== undefined || answer.valueCoding?.code === undefined;
  return item.type === 'open-choice' && isOwnWords ? [] : ['not_an_option'];
}

function limitProblem(item: Item, answer: TypedValue): string[] {
  const { valueString, valueDate } = answer;
  if (valueString !== undefined) return textProblem(item, valueString);
  if (valueDate !== undefined) return dateProblem(item, valueDate);
  const number = answer.valueInteger ?? answer.valueDecimal ?? answer.valueQuantity?.value;
  return number === undefined ? [] : numberProblem(item, number);
}

function textProblem(item: Item, text: string): string[] {
  const { length } = [...new Intl.Segmenter().segment(text)];
  if (item.maxLength !== undefined && length > item.maxLength) return ['too_long'];
  if (length < (numberIn(item, '/minLength') ?? 0)) return ['too_short'];
  const pattern = extensionsOf(item, '/regex')[0]?.['valueString'];
  return typeof pattern === 'string' && !new RegExp(`^(?:${pattern})$`).test(text) ? ['wrong_pattern'] : [];
}

function dateProblem(item: Item, date: string): string[] {
  const least = extensionsOf(item, '/minValue')[0]?.['valueDate'] as string | undefined;
  const most = latestDay(item);
  if (least !== undefined && date < least) return ['too_early'];
  return most !== undefined && date > most ? ['too_late'] : [];
}

function numberProblem(item: Item, number: number): string[] {
  const scale = 10 ** (numberIn(item, 'maxDecimalPlaces') ?? 15);
  if (Math.abs(number * scale - Math.round(number * scale)) > 1e-9) return ['too_many_decimals'];
  if (number < (numberIn(item, '/minValue') ?? numberIn(item, 'minQuantity') ?? -Infinity)) return ['too_low'];
  return number > (numberIn(item, '/maxValue') ?? numberIn(item, 'maxQuantity') ?? Infinity) ? ['too_high'] : [];
}

function latestDay(item: Item): string | undefined {
  const [limit] = extensionsOf(item, '/maxValue');
  if (typeof limit?.['valueDate'] === 'string') return limit['valueDate'];
  const counted = (limit as { _valueDate?: FhirElement } | undefined)?._valueDate;
  const text = counted && expressionOf(counted, 'calculatedValue');
  if (text === latestDays['not after today']) return fillingDay;
  return text === latestDays['18 years ago'] ? '2008-03-02' : undefined;
}

/** The constraints that are false: of the questionnaire, and of each question that is answered. */
function brokenRules(
  questionnaire: Questionnaire,
  asked: readonly ItemPosition[],
  all: readonly ItemPosition[],
): string[] {
  const rulesOf = (element: FhirElement) => [
    ...extensionsOf(element, 'questionnaire-constraint'),
    ...extensionsOf(element, 'targetConstraint'),
  ];
  const broken = (element: FhirElement, place: ItemPosition | undefined) =>
    rulesOf(element).flatMap(({ extension = [] }) => {
      const part = (url: string) => extension.find((one) => one.url === url);
      const text = part('expression')?.['valueString'] ?? expressionOf({ extension }, 'expression');
      if (meaningOf(text as string, place, all)[0] !== false) return [];
      const kind = part('severity')?.['valueCode'] === 'warning' ? 'warning' : 'constraint';
      return [`${kind} ${place?.item.linkId ?? ''}`];
    });
  const answered = asked.filter(({ answers }) => answers.length > 0);
  return [...broken(questionnaire, undefined), ...answered.flatMap((place) => broken(place.item, place))];
}

function numberIn(element: FhirElement, ending: string): number | undefined {
  const [found] = extensionsOf(element, ending);
  const amount = (found?.['valueQuantity'] as { value: number } | undefined)?.value;
  return (found?.['valueInteger'] ?? found?.['valueDecimal'] ?? amount) as number | undefined;
}

/** An answer as text: a choice by its code, else by its words. */
export function textOf(answer: TypedValue): string {
  const [, value] = Object.entries(answer).find(([name]) => name.startsWith('value')) as [string, unknown];
  if (typeof value !== 'object') return String(value);
  const { code, display, value: amount } = value as Coding & { value?: number };
  return amount === undefined ? String(code ?? display) : `${amount} ${code}`;
}

const wordsOf = ({ valueCoding }: AnswerOption) => String(valueCoding?.display);
