import { randomFrom } from './random.ts';

/** What a question of a generated form may be like. Every two of them that go together are together in some question. */
const traits = {
  kind: ['boolean', 'integer', 'decimal', 'string', 'date', 'quantity', 'choice', 'open-choice'],
  place: [
    'at the top',
    'in a group',
    'in a repeating group',
    'in a group of a repeating group',
    'below an answer',
    'below several answers',
    'in a hidden group',
    'in a group with a condition',
  ],
  change: ['by a person', 'read-only', 'hidden', 'calculated', 'calculated, read-only', 'calculated, overwritten'],
  need: ['optional', 'required'],
  occurs: ['once', 'several times', 'twice or more', 'twice at most'],
  begins: ['empty', 'with a value', 'by an expression', 'with a chosen option'],
  limit: ['none', 'lowest', 'highest', 'decimal places', 'length', 'pattern', 'not after today', '18 years ago'],
  constraint: ['none', 'error', 'warning', 'target'],
  options: [
    'none',
    'listed',
    'with weights',
    'with ordinals beside the coding',
    'one excludes the others',
    'display only',
    'switched by an expression',
    'from other answers',
    'of a value set',
  ],
  condition: ['none', 'the gate is open', 'the gate is not open', 'by an expression'],
  answered: ['not', 'once', 'against a limit', 'twice', 'three times', 'by the words of an option'],
} as const;

export type Trait = keyof typeof traits;
/** One question: a value for each trait. */
export type QuestionTraits = { [T in Trait]: (typeof traits)[T][number] };

const names = Object.keys(traits) as Trait[];

export const isChoice = ({ kind }: Pick<QuestionTraits, 'kind'>) => kind === 'choice' || kind === 'open-choice';
const isCalculated = ({ change }: QuestionTraits) => change.startsWith('calculated');

/** The kinds of questions that a limit is for. */
const kindsOfLimits: Record<QuestionTraits['limit'], readonly QuestionTraits['kind'][]> = {
  none: traits.kind,
  lowest: ['integer', 'decimal', 'date', 'quantity'],
  highest: ['integer', 'decimal', 'date', 'quantity'],
  'decimal places': ['decimal', 'quantity'],
  length: ['string'],
  pattern: ['string'],
  'not after today': ['date'],
  '18 years ago': ['date'],
};

/** Rules that some traits have together: each is true of a question that can be. */
const rules: readonly ((question: QuestionTraits) => boolean)[] = [
  (question) => isChoice(question) === (question.options !== 'none'),
  ({ kind, limit }) => kindsOfLimits[limit].includes(kind),
  // SDC: an item has one of the two.
  (question) => question.begins === 'empty' || !isCalculated(question),
  (question) =>
    question.begins !== 'with a chosen option' ||
    (isChoice(question) && question.options !== 'of a value set' && question.options !== 'from other answers'),
  // Only a Quantity may be the result, and other programs differ in how an expression makes one.
  (question) => question.kind !== 'quantity' || (!isCalculated(question) && question.begins !== 'by an expression'),
  ({ change, answered }) => change !== 'calculated, overwritten' || answered !== 'not',
  ({ answered, occurs }) => (answered !== 'twice' && answered !== 'three times') || occurs !== 'once',
  (question) => question.answered !== 'against a limit' || isChoice(question) || question.limit !== 'none',
  (question) =>
    question.answered !== 'by the words of an option' ||
    (isChoice(question) && question.options !== 'from other answers'),
  // Everybody begins the answers of a question with the first one only.
  ({ options, answered }) => options !== 'from other answers' || answered !== 'three times',
];

const pairsIn = (question: QuestionTraits): string[] =>
  names.flatMap((one, i) =>
    names.slice(i + 1).map((other) => `${one}: ${question[one]} · ${other}: ${question[other]}`),
  );

const plain: QuestionTraits = {
  kind: 'boolean',
  place: 'at the top',
  change: 'by a person',
  need: 'optional',
  occurs: 'once',
  begins: 'empty',
  limit: 'none',
  constraint: 'none',
  options: 'none',
  condition: 'none',
  answered: 'against a limit',
};

/** Every limit and every list of options, broken by a person who is asked: pairs alone may have each only where nobody can answer. */
const brokenLimits: readonly QuestionTraits[] = [
  { ...plain, kind: 'integer', occurs: 'twice at most', answered: 'three times' },
  { ...plain, kind: 'string', occurs: 'twice or more', answered: 'once' },
  { ...plain, need: 'required', answered: 'not' },
  ...traits.kind.flatMap((kind) =>
    traits.limit
      .flatMap((limit) => traits.options.map((options): QuestionTraits => ({ ...plain, kind, limit, options })))
      .map((question): QuestionTraits =>
        question.options === 'one excludes the others' ? { ...question, occurs: 'several times' } : question,
      )
      .filter((question) => rules.every((rule) => rule(question))),
  ),
];

/** How many questions are tried for each that is taken: the one with the most pairs that are new. */
const candidates = 60;
/** When this many tries in a row bring no new pair, there is none left. */
const patience = 40;

/** Questions that break each limit, and questions in which every two traits that go together are together at least once, in another order for each seed. */
export function pairwiseQuestions(seed: number): { questions: QuestionTraits[]; pairs: number } {
  const random = randomFrom(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const draw = (): QuestionTraits => {
    for (;;) {
      const drawn = Object.fromEntries(names.map((name) => [name, pick<string>(traits[name])])) as QuestionTraits;
      if (!isChoice(drawn)) drawn.options = 'none';
      if (!kindsOfLimits[drawn.limit].includes(drawn.kind)) drawn.limit = 'none';
      if (rules.every((rule) => rule(drawn))) return drawn;
    }
  };
  const questions: QuestionTraits[] = brokenLimits.map((question) => ({ ...question, place: pick(traits.place) }));
  const seen = new Set<string>(questions.flatMap(pairsIn));
  for (let idle = 0; idle < patience;) {
    let best: QuestionTraits | undefined;
    let most = 0;
    for (let i = 0; i < candidates; i++) {
      const drawn = draw();
      const fresh = pairsIn(drawn).filter((pair) => !seen.has(pair)).length;
      if (fresh > most) [best, most] = [drawn, fresh];
    }
    if (!best) {
      idle += 1;
      continue;
    }
    idle = 0;
    for (const pair of pairsIn(best)) seen.add(pair);
    questions.push(best);
  }
  return { questions, pairs: seen.size };
}
