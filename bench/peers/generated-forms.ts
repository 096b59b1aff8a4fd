import type {
  AnswerOption,
  EnableWhen,
  Extension,
  Item,
  ItemType,
  Operator,
  Questionnaire,
  QuestionnaireResponse,
  ResponseItem,
  TypedValue,
} from '#questionnaire/questionnaire.ts';
import { randomFrom } from './random.ts';

/** A form that was made of features, a person's answers to all its questions, and what it is made of. */
export interface GeneratedForm {
  name: string;
  features: string[];
  questionnaire: Questionnaire;
  response: QuestionnaireResponse;
}

const fhir = 'http://hl7.org/fhir/StructureDefinition/';
const sdc = 'http://hl7.org/fhir/uv/sdc/StructureDefinition/';
const system = 'http://example.com/codes';

/** The questions that are always asked, and those that conditions may hide, as FHIRPath has a list. */
const asked = "('q1' | 'q2' | 'q3')";
const conditional = "('c1' | 'c2' | 'c3')";
/** Expressions of generated forms whose meaning `readPlainly` knows too. */
export const sumOfPoints = '%resource.descendants().answer.value.ofType(Coding).ordinal().sum()';
export const sumOfNumbers = `%resource.item.where(linkId in ${conditional}).answer.value.ofType(integer).sum()`;
export const countOfAsked = `%resource.item.where(linkId in ${asked}).answer.count()`;
export const countOfConditional = `%resource.item.where(linkId in ${conditional}).answer.count()`;
export const hasConditional = `${countOfConditional} > 1`;

interface Kind {
  type: ItemType;
  values: TypedValue[];
  operators: Operator[];
  options?: AnswerOption[];
}

const equal: Operator[] = ['exists', '=', '!='];
const ordered: Operator[] = [...equal, '<', '<=', '>', '>='];
const options = ['never', 'sometimes', 'often'].map((code, points) => ({
  valueCoding: { system, code, display: code, extension: [{ url: `${fhir}ordinalValue`, valueDecimal: points }] },
}));

/** The kinds of questions that conditions look at, each with answers of which some are equal and some are not. */
const kinds: Kind[] = [
  { type: 'boolean', operators: equal, values: [{ valueBoolean: true }, { valueBoolean: false }] },
  { type: 'integer', operators: ordered, values: [{ valueInteger: 1 }, { valueInteger: 2 }, { valueInteger: 30 }] },
  { type: 'decimal', operators: ordered, values: [{ valueDecimal: 1.5 }, { valueDecimal: 2 }, { valueDecimal: -3 }] },
  { type: 'string', operators: equal, values: [{ valueString: 'yes' }, { valueString: 'Yes' }, { valueString: 'no' }] },
  {
    type: 'date',
    operators: ordered,
    values: [{ valueDate: '2024-02-29' }, { valueDate: '2024-03-01' }, { valueDate: '1999-12-31' }],
  },
  {
    type: 'choice',
    operators: equal,
    options,
    values: options.map(({ valueCoding: { system: of, code, display } }) => ({
      valueCoding: { system: of, code, display },
    })),
  },
];

/**
 * Forms of every kind of condition and calculation, alone and together: conditions of each operator on each kind of question, any or all
 * of several, chains in which a hidden question hides the next one, groups, sums of points, counts, and conditions that are expressions.
 */
export function* generateForms(count: number, firstSeed = 1): Generator<GeneratedForm> {
  for (let seed = firstSeed; seed < firstSeed + count; seed++) yield generateForm(seed);
}

function generateForm(seed: number): GeneratedForm {
  const random = randomFrom(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const happens = (share: number) => random() < share;
  const features = new Set<string>();
  const earlier: { linkId: string; kind: Kind; repeats: boolean }[] = [];
  const given: ResponseItem[] = [];

  const question = (linkId: string): { item: Item; answered: ResponseItem } => {
    const kind = pick(kinds);
    const repeats = kind.type === 'choice' && happens(0.3);
    const item: Item = { linkId, type: kind.type, text: `Question ${linkId}` };
    if (kind.options) item.answerOption = kind.options;
    if (repeats) {
      item.repeats = true;
      features.add('several choices');
    }
    const count = happens(0.2) ? 0 : repeats ? 1 + Math.floor(random() * 2) : 1;
    const first = Math.floor(random() * kind.values.length);
    const answer = Array.from({ length: count }, (_, i) => kind.values[(first + i) % kind.values.length] as TypedValue);
    earlier.push({ linkId, kind, repeats });
    return { item, answered: { linkId, text: item.text as string, ...(count > 0 && { answer }) } };
  };

  const condition = (): EnableWhen => {
    const { linkId, kind } = pick(earlier);
    const operator = pick(kind.operators);
    features.add(`${kind.type} ${operator}`);
    if (operator === 'exists') return { question: linkId, operator, answerBoolean: happens(0.5) };
    const [[name, value]] = Object.entries(pick(kind.values)) as [[string, unknown]];
    return { question: linkId, operator, [name.replace('value', 'answer')]: value } as EnableWhen;
  };
  const conditions = (): Partial<Item> => {
    const enableWhen = Array.from({ length: 1 + Math.floor(random() * 3) }, condition);
    if (enableWhen.length === 1) return { enableWhen };
    const enableBehavior = pick(['any', 'all'] as const);
    features.add(`${enableBehavior} of several`);
    return { enableWhen, enableBehavior };
  };

  const items: Item[] = [];
  const add = ({ item, answered }: ReturnType<typeof question>, more: Partial<Item> = {}) => {
    items.push({ ...item, ...more });
    if (answered.answer) given.push(answered);
  };
  for (let i = 1; i <= 3; i++) add(question(`q${i}`));
  for (let i = 1; i <= 3; i++) {
    // The condition comes first, so that no question is its own condition.
    const when = conditions();
    add(question(`c${i}`), when);
  }
  if (happens(0.6)) {
    features.add('a group with a condition');
    const when = conditions();
    const inside = [question('g.1'), question('g.2')];
    items.push({ linkId: 'g', type: 'group', text: 'Group', ...when, item: inside.map(({ item }) => item) });
    const answered = inside.map(({ answered: one }) => one).filter(({ answer }) => answer);
    if (answered.length > 0) given.push({ linkId: 'g', text: 'Group', item: answered });
  }
  const last = conditions();
  add(question('last'), last);
  const expression = (url: string, text: string): Extension => ({
    url,
    valueExpression: { language: 'text/fhirpath', expression: text },
  });
  if (happens(0.5)) {
    features.add('a condition that is an expression');
    const when = pick([
      "%resource.item.where(linkId='q1').answer.exists()",
      "%resource.item.where(linkId='q2').answer.value.exists().not()",
      hasConditional,
    ]);
    add(question('x'));
    const made = items.at(-1) as Item;
    made.extension = [expression(`${sdc}sdc-questionnaire-enableWhenExpression`, when)];
  }
  const calculations: [feature: string, linkId: string, type: ItemType, expression: string][] = [
    ['a sum of points', 'sum', 'decimal', sumOfPoints],
    ['a sum of numbers', 'numbers', 'integer', sumOfNumbers],
    ['a count', 'count', 'integer', countOfAsked],
    ['a count of what conditions leave', 'left', 'integer', countOfConditional],
  ];
  for (const [feature, linkId, type, text] of calculations) {
    if (!happens(0.5)) continue;
    features.add(feature);
    const extension = [expression(`${sdc}sdc-questionnaire-calculatedExpression`, text)];
    items.push({ linkId, type, text: feature, readOnly: true, extension });
  }
  const name = `form-${seed}`;
  const url = `http://example.com/Questionnaire/${name}`;
  return {
    name,
    features: [...features].toSorted(),
    questionnaire: { resourceType: 'Questionnaire', url, status: 'active', title: name, item: items } as Questionnaire,
    response: { resourceType: 'QuestionnaireResponse', questionnaire: url, status: 'in-progress', item: given },
  };
}
