import { countHere, expressions } from './trait-forms.ts';
import type { AnswerOption, Coding, Extension, FhirElement, Item, TypedValue } from '#questionnaire/questionnaire.ts';

/** An item at one place of the form, with its answers and what is in it. */
export interface ItemPosition {
  item: Item;
  above: ItemPosition | undefined;
  at: readonly number[];
  given: TypedValue[];
  isMarked: boolean;
  answers: TypedValue[];
  isAsked: boolean;
  listed: AnswerOption[];
  offered: AnswerOption[];
  /** One list for a group; one for each answer to a question. */
  inside: ItemPosition[][];
}

export const everyPlace = (places: readonly ItemPosition[]): ItemPosition[] =>
  places.flatMap((place) => [place, ...everyPlace(place.inside.flat())]);

export type Result = number | boolean | string | Coding;

/** What the expressions of a form look at. */
interface ExpressionScope {
  /** The item that the expression belongs to. */
  place: ItemPosition | undefined;
  answersTo: (linkId: string) => TypedValue[];
  /** The answers to `other`. */
  other: number[];
  /** The answers to both questions that the form is about, and what the chosen options of them count. */
  subjects: TypedValue[];
  points: number[];
}

/** What each expression of these forms means. */
const meanings: Record<keyof typeof expressions, (seen: ExpressionScope) => Result[]> = {
  isAboveTwo: ({ other }) => other.map((number) => number > 2),
  isBelowFour: ({ other }) => other.map((number) => number < 4),
  plusOne: ({ other }) => other.map((number) => number + 1),
  eighth: ({ other }) => other.map((number) => number / 8),
  named: ({ other }) => [`n${other.join('')}`],
  inThreeDays: () => ['2026-03-05'],
  longAgo: () => ['1996-03-02'],
  picked: ({ answersTo }) => codingsIn(answersTo('pick')),
  listed: ({ answersTo }) => codingsIn(answersTo('list')),
  yes: () => [true],
  two: () => [2],
  half: () => [1.5],
  word: () => ['yes'],
  bee: () => [{ system: 'http://example.com/codes', code: 'b', display: 'Bee' }],
  isOne: ({ place }) => [(place?.answers.length ?? 0) < 2],
  isHere: ({ answersTo }) => answersTo('gate').map(({ valueBoolean }) => valueBoolean === true),
  count: ({ subjects }) => [subjects.length],
  isFew: ({ subjects }) => [subjects.length < 4],
  twice: ({ subjects }) => [subjects.length * 2],
  wholeNumbers: ({ subjects }) => sumOf(subjects.flatMap(({ valueInteger }) => valueInteger ?? [])),
  decimals: ({ subjects }) => sumOf(subjects.flatMap(({ valueDecimal }) => valueDecimal ?? [])),
  ordinals: ({ points }) => sumOf(points),
  weights: ({ points }) => sumOf(points),
  inRow: ({ place }) => {
    const linkId = place?.item.linkId.slice(0, 2) ?? '';
    const row = place?.above;
    const isDeclared = row && expressionOf(row.item, 'StructureDefinition/variable') === countHere(linkId);
    return isDeclared ? [answersIn(everyPlace(row.inside.flat()), linkId).length + 10] : [];
  },
};

/** What an expression of these forms gives at that item. */
export function meaningOf(text: string, place: ItemPosition | undefined, all: readonly ItemPosition[]): Result[] {
  const names = Object.keys(expressions) as (keyof typeof expressions)[];
  const name = names.find((one) => expressions[one] === text);
  if (!name) throw new Error(`No reading of ${text}`);
  const asked = all.filter(({ item, isAsked }) => isAsked && (item.linkId === 's1' || item.linkId === 's2'));
  return meanings[name]({
    place,
    answersTo: (linkId) => answersIn(all, linkId),
    other: answersIn(all, 'other').flatMap(({ valueInteger }) => valueInteger ?? []),
    subjects: asked.flatMap(({ answers }) => answers),
    points: asked.flatMap(({ listed, answers }) => answers.flatMap((answer) => pointsOf(listed, answer))),
  });
}

const answersIn = (places: readonly ItemPosition[], linkId: string): TypedValue[] =>
  places.filter(({ item, isAsked }) => isAsked && item.linkId === linkId).flatMap(({ answers }) => answers);

const codingsIn = (answers: readonly TypedValue[]): Coding[] => answers.flatMap(({ valueCoding }) => valueCoding ?? []);

/** FHIRPath's sum of nothing is nothing. Decimals are exact: 0.1 + 0.2 is 0.3. */
const sumOf = (numbers: readonly number[]): number[] =>
  numbers.length > 0 ? [Number(numbers.reduce((sum, one) => sum + one, 0).toFixed(6))] : [];

/** What a chosen option counts by its own question: `ordinalValue` or `itemWeight`, at the option or at its coding. */
function pointsOf(listed: readonly AnswerOption[], { valueCoding }: TypedValue): number[] {
  const option = valueCoding && listed.find((one) => isSameChoice(one, { valueCoding }));
  const all = [...(option?.extension ?? []), ...(option?.valueCoding?.extension ?? [])];
  const scores = all.filter(({ url }) => url.endsWith('ordinalValue') || url.endsWith('itemWeight'));
  return scores.map((score) => score['valueDecimal'] as number);
}

export const isSameChoice = ({ valueCoding: option }: AnswerOption, { valueCoding: chosen }: TypedValue): boolean =>
  option?.code === undefined || chosen?.code === undefined
    ? option?.display === chosen?.display
    : option.code === chosen.code;

/** The extensions whose address ends so. */
export function extensionsOf(element: FhirElement | undefined, ending: string): Extension[] {
  return (element?.extension ?? []).filter(({ url }) => url.endsWith(ending));
}

export function expressionOf(element: FhirElement, ending: string): string | undefined {
  return (extensionsOf(element, ending)[0]?.['valueExpression'] as { expression: string } | undefined)?.expression;
}
