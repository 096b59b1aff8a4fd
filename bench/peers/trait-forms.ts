import type {
  AnswerOption,
  Extension,
  Item,
  ItemType,
  Questionnaire,
  ResponseItem,
  TypedValue,
} from '#questionnaire/questionnaire.ts';
import type { GeneratedForm } from './generated-forms.ts';
import { isChoice, pairwiseQuestions, type QuestionTraits } from './question-traits.ts';
import { randomFrom } from './random.ts';

/** The day on which these forms are filled in. */
export const fillingDay = '2026-03-02';

const fhir = 'http://hl7.org/fhir/StructureDefinition/';
const sdc = 'http://hl7.org/fhir/uv/sdc/StructureDefinition/';
const system = 'http://example.com/codes';
export const overwrittenUrl = 'urn:anteroom:fhir:calculation-overwritten';

const answerTo = (linkId: string) => `%resource.item.where(linkId='${linkId}').answer.value`;
const allOf = "%resource.descendants().where(linkId in ('s1' | 's2')).answer";
/** The expressions of these forms, each of which `readOutcome` knows too. */
export const expressions = {
  isAboveTwo: `${answerTo('other')} > 2`,
  plusOne: `${answerTo('other')} + 1`,
  eighth: `${answerTo('other')} / 8`,
  named: `'n' & ${answerTo('other')}.toString()`,
  inThreeDays: 'today() + 3 days',
  picked: answerTo('pick'),
  listed: answerTo('list'),
  yes: '1 < 2',
  two: '1 + 1',
  half: '3 / 2',
  word: "'ye' & 's'",
  longAgo: 'today() - 30 years',
  bee: `%factory.Coding('${system}', 'b', 'Bee')`,
  isBelowFour: `${answerTo('other')} < 4`,
  isOne: 'answer.count() < 2',
  isHere: `${answerTo('gate')} = true`,
  count: `${allOf}.count()`,
  wholeNumbers: `${allOf}.value.ofType(integer).sum()`,
  decimals: `${allOf}.value.ofType(decimal).sum()`,
  ordinals: `${allOf}.value.ofType(Coding).ordinal().sum()`,
  weights: `${allOf}.value.ofType(Coding).weight().sum()`,
  twice: '%all * 2',
  inRow: '%here + 10',
  isFew: `${allOf}.count() < 4`,
} as const;
/** What is counted in each repetition of a group: the answers to one of its questions. */
export const countHere = (linkId: string) => `descendants().where(linkId='${linkId}').answer.count()`;

const expression = (url: string, text: string, name?: string): Extension => ({
  url,
  valueExpression: { ...(name && { name }), language: 'text/fhirpath', expression: text },
});
const calculatedBy = (text: string) => expression(`${sdc}sdc-questionnaire-calculatedExpression`, text);
const hidden: Extension = { url: `${fhir}questionnaire-hidden`, valueBoolean: true };
const constraint = (severity: string, text: string, url = `${fhir}questionnaire-constraint`): Extension => ({
  url,
  extension: [
    { url: 'key', valueId: 'rule' },
    { url: 'severity', valueCode: severity },
    url.endsWith('targetConstraint') ? expression('expression', text) : { url: 'expression', valueString: text },
    { url: 'human', valueString: 'Please look at this again.' },
  ],
});

const words = { a: 'Never', b: 'Bee', c: 'See' } as const;
const points = { a: 0, b: 2, c: 5 } as const;
const codes = ['a', 'b', 'c'] as const;
type Code = (typeof codes)[number];
const coding = (code: Code) => ({ system, code, display: words[code] });

const kilograms = (value: number): TypedValue => ({
  valueQuantity: { value, unit: 'kg', system: 'http://unitsofmeasure.org', code: 'kg' },
});

/** Answers that fit every limit, in each kind of question. */
const fitting: Record<QuestionTraits['kind'], TypedValue[]> = {
  boolean: [{ valueBoolean: true }, { valueBoolean: false }, { valueBoolean: true }],
  integer: [{ valueInteger: 2 }, { valueInteger: 1 }, { valueInteger: 30 }],
  decimal: [{ valueDecimal: 1.5 }, { valueDecimal: 0.5 }, { valueDecimal: 9.5 }],
  string: [{ valueString: 'yes' }, { valueString: 'no' }, { valueString: 'maybe' }],
  // The last one is 18 years old on that day.
  date: [{ valueDate: '2001-05-06' }, { valueDate: '2000-01-01' }, { valueDate: '2008-03-02' }],
  quantity: [kilograms(1.5), kilograms(0.5), kilograms(9.5)],
  choice: codes.map((code) => ({ valueCoding: coding(code) })),
  'open-choice': codes.map((code) => ({ valueCoding: coding(code) })),
};

const amounts = (name: string, quantity: string, value: number, wrong: number) => ({
  decimal: [[{ url: `${fhir}${name}`, valueDecimal: value }], { valueDecimal: wrong }],
  quantity: [[{ url: `${sdc}sdc-questionnaire-${quantity}`, ...kilograms(value) }], kilograms(wrong)],
});
const dayLimit = (text: string): Extension =>
  ({ url: `${fhir}maxValue`, _valueDate: { extension: [expression(`${fhir}cqf-calculatedValue`, text)] } }) as never;
const places = { url: `${fhir}maxDecimalPlaces`, valueInteger: 1 };
export const latestDays = { 'not after today': 'today()', '18 years ago': 'today() - 18 years' } as const;

/** The extensions of a limit, and an answer that is against it. */
const limits: Partial<Record<QuestionTraits['limit'], Record<string, unknown[]>>> = {
  lowest: {
    ...amounts('minValue', 'minQuantity', 0.5, 0.4),
    integer: [[{ url: `${fhir}minValue`, valueInteger: 1 }], { valueInteger: 0 }],
    date: [[{ url: `${fhir}minValue`, valueDate: '2000-01-01' }], { valueDate: '1999-12-31' }],
  },
  highest: {
    ...amounts('maxValue', 'maxQuantity', 9.5, 9.6),
    integer: [[{ url: `${fhir}maxValue`, valueInteger: 30 }], { valueInteger: 31 }],
    date: [[{ url: `${fhir}maxValue`, valueDate: '2025-12-31' }], { valueDate: '2026-01-01' }],
  },
  'decimal places': {
    decimal: [[places], { valueDecimal: 1.55 }],
    quantity: [[places], kilograms(1.55)],
  },
  // An emoji counts as one character.
  length: { string: [[{ url: `${fhir}minLength`, valueInteger: 2 }], { valueString: 'yes👍🏽!!!' }] },
  pattern: { string: [[{ url: `${fhir}regex`, valueString: '[a-z]+' }], { valueString: 'yes1' }] },
  'not after today': { date: [[dayLimit(latestDays['not after today'])], { valueDate: '2026-03-03' }] },
  '18 years ago': { date: [[dayLimit(latestDays['18 years ago'])], { valueDate: '2008-03-03' }] },
};

/** What is calculated for each kind of question, and what it begins with. */
const calculations: Record<QuestionTraits['kind'], [calculated: string, initial: string]> = {
  boolean: [expressions.isAboveTwo, expressions.yes],
  integer: [expressions.plusOne, expressions.two],
  decimal: [expressions.eighth, expressions.half],
  string: [expressions.named, expressions.word],
  date: [expressions.inThreeDays, expressions.longAgo],
  quantity: ['', ''],
  choice: [expressions.picked, expressions.bee],
  'open-choice': [expressions.picked, expressions.bee],
};

function optionsFor({ options, begins }: QuestionTraits): AnswerOption[] {
  return codes.map((code): AnswerOption => {
    const { display } = coding(code);
    const score = { valueDecimal: points[code] };
    const isFirst = begins === 'with a chosen option' && code === 'b';
    const option: AnswerOption = {
      valueCoding: options === 'display only' ? { display } : { ...coding(code) },
      ...(isFirst && { initialSelected: true }),
    };
    if (options === 'with weights')
      option.valueCoding = { ...coding(code), extension: [{ url: `${fhir}itemWeight`, ...score }] };
    if (options === 'with ordinals beside the coding') option.extension = [{ url: `${fhir}ordinalValue`, ...score }];
    if (options === 'one excludes the others' && code === 'c')
      option.extension = [{ url: `${fhir}questionnaire-optionExclusive`, valueBoolean: true }];
    return option;
  });
}

function choicesOf(question: QuestionTraits): Partial<Item> {
  if (question.options === 'none') return {};
  if (question.options === 'of a value set') return { answerValueSet: '#list' };
  if (question.options === 'from other answers')
    return { extension: [expression(`${sdc}sdc-questionnaire-answerExpression`, expressions.listed)] };
  const answerOption = optionsFor(question);
  if (question.options !== 'switched by an expression') return { answerOption };
  const toggle = [{ url: 'option', valueCoding: coding('b') }, expression('expression', expressions.isAboveTwo)];
  return {
    answerOption,
    extension: [{ url: `${sdc}sdc-questionnaire-answerOptionsToggleExpression`, extension: toggle }],
  };
}

function constraintsOf(question: QuestionTraits, random: () => number): Extension[] {
  if (question.constraint === 'none') return [];
  const text = random() < 0.5 ? expressions.isBelowFour : expressions.isOne;
  if (question.constraint === 'target') return [constraint('error', text, `${fhir}targetConstraint`)];
  return [constraint(question.constraint, text)];
}

/** The question itself, without what is around it. */
function itemOf(linkId: string, question: QuestionTraits, random: () => number): Item {
  const { kind, change, occurs, begins, limit, condition, need } = question;
  const choices = choicesOf(question);
  const [calculated, initial] = calculations[kind];
  const extension: Extension[] = [
    ...(choices.extension ?? []),
    ...((limits[limit]?.[kind]?.[0] ?? []) as Extension[]),
    ...constraintsOf(question, random),
  ];
  if (change === 'hidden') extension.push(hidden);
  if (change.startsWith('calculated')) extension.push(calculatedBy(calculated));
  if (begins === 'by an expression') extension.push(expression(`${sdc}sdc-questionnaire-initialExpression`, initial));
  if (occurs === 'twice or more') extension.push({ url: `${fhir}questionnaire-minOccurs`, valueInteger: 2 });
  if (occurs === 'twice at most') extension.push({ url: `${fhir}questionnaire-maxOccurs`, valueInteger: 2 });
  if (condition === 'by an expression')
    extension.push(expression(`${sdc}sdc-questionnaire-enableWhenExpression`, expressions.isHere));
  const opens = condition === 'the gate is open' ? '=' : condition === 'the gate is not open' ? '!=' : undefined;
  return {
    linkId,
    type: kind as ItemType,
    text: `Question ${linkId}`,
    ...choices,
    ...(need === 'required' && { required: true }),
    ...(occurs !== 'once' && { repeats: true }),
    ...((change === 'read-only' || change === 'calculated, read-only') && { readOnly: true }),
    ...(limit === 'length' && { maxLength: 6 }),
    ...(begins === 'with a value' && { initial: beginningOf(question) }),
    ...(opens && { enableWhen: [{ question: 'gate', operator: opens, answerBoolean: true }] }),
    ...(extension.length > 0 && { extension }),
  } as Item;
}

function beginningOf({ kind, occurs, options }: QuestionTraits): TypedValue[] {
  const values = fitting[kind].slice(0, occurs === 'once' ? 1 : 2);
  return options === 'display only' ? values.map(({ valueCoding }) => ({ valueCoding: byWords(valueCoding) })) : values;
}

const byWords = (value: TypedValue['valueCoding']) => ({ display: value?.display ?? '' });

/** A person's answers; those of another repetition begin with another one. */
function answersOf(question: QuestionTraits, repetition: number): TypedValue[] {
  const { kind, answered, limit, options } = question;
  const inOrder = [...fitting[kind].slice(repetition % 3), ...fitting[kind].slice(0, repetition % 3)];
  const values =
    options === 'display only' ? inOrder.map(({ valueCoding }) => ({ valueCoding: byWords(valueCoding) })) : inOrder;
  if (answered === 'not') return [];
  if (answered === 'twice') return values.slice(0, 2);
  if (answered === 'three times') return values;
  if (answered === 'by the words of an option')
    return [
      kind === 'choice'
        ? { valueCoding: byWords(inOrder[0]?.valueCoding) }
        : { valueString: inOrder[0]?.valueCoding?.display ?? '' },
    ];
  if (answered === 'once') return values.slice(0, 1);
  if (!isChoice(question)) return [limits[limit]?.[kind]?.[1] as TypedValue];
  if (options === 'one excludes the others' && question.occurs !== 'once')
    return [values[2], values[0]] as TypedValue[];
  return [{ valueCoding: { system, code: 'z', display: 'Zed' } }];
}

/** The question in its place, with the answers to it and to what is around it. */
function placeQuestion(
  linkId: string,
  question: QuestionTraits,
  random: () => number,
): { item: Item; given: ResponseItem[] } {
  const item = itemOf(linkId, question, random);
  const filled = (repetition = 0): ResponseItem[] => {
    const answer = answersOf(question, repetition);
    const extension = [{ url: overwrittenUrl, valueBoolean: true }];
    const isMarked = question.change === 'calculated, overwritten';
    return answer.length > 0 ? [{ ...(isMarked && { extension }), linkId, answer }] : [];
  };
  const group = (name: string, inside: Item[], more: Partial<Item> = {}): Item => ({
    linkId: `${linkId}.${name}`,
    type: 'group',
    text: `Group ${name}`,
    ...more,
    item: inside,
  });
  const filledGroup = (name: string, inside: ResponseItem[]): ResponseItem[] =>
    inside.length > 0 ? [{ linkId: `${linkId}.${name}`, item: inside }] : [];
  const repetitions = 1 + Math.floor(random() * 3);
  const each = <T>(make: (repetition: number) => T[]): T[] =>
    Array.from({ length: repetitions }, (_, i) => make(i)).flat();
  const row: Item = {
    linkId: `${linkId}.in`,
    type: 'integer',
    text: 'Answers here',
    readOnly: true,
    extension: [calculatedBy(expressions.inRow)],
  };
  const after: Item = {
    linkId: `${linkId}.after`,
    type: 'string',
    text: 'More',
    enableWhen: [{ question: linkId, operator: 'exists', answerBoolean: true }],
  };
  const more: ResponseItem = { linkId: `${linkId}.after`, answer: [{ valueString: 'more' }] };
  const repeating = (inside: Item[]) =>
    group('rows', [...inside, row, after], {
      repeats: true,
      extension: [expression(`${fhir}variable`, countHere(linkId), 'here')],
    });
  const above = (repeats: boolean): Item => ({
    linkId: `${linkId}.${repeats ? 'ups' : 'up'}`,
    type: 'string',
    text: 'Above',
    repeats,
    item: [item],
  });

  switch (question.place) {
    case 'at the top':
      return { item, given: filled() };
    case 'in a group':
      return { item: group('group', [item]), given: filledGroup('group', filled()) };
    case 'in a repeating group':
      return { item: repeating([item]), given: each((i) => filledGroup('rows', [...filled(i), more])) };
    case 'in a group of a repeating group':
      return {
        item: repeating([group('group', [item])]),
        given: each((i) => filledGroup('rows', [...filledGroup('group', filled(i)), more])),
      };
    case 'below an answer':
    case 'below several answers': {
      const repeats = question.place === 'below several answers';
      const count = repeats ? repetitions : random() < 0.8 ? 1 : 0;
      const answer = Array.from({ length: count }, (_, i) => {
        const inside = filled(i);
        return { valueString: `up ${i}`, ...(inside.length > 0 && { item: inside }) };
      });
      return {
        item: above(repeats),
        given: count > 0 ? [{ linkId: `${linkId}.${repeats ? 'ups' : 'up'}`, answer }] : [],
      };
    }
    case 'in a hidden group':
      return { item: group('group', [item], { extension: [hidden] }), given: filledGroup('group', filled()) };
    case 'in a group with a condition':
      return {
        item: group('group', [item], { enableWhen: [{ question: 'other', operator: '>=', answerInteger: 2 }] }),
        given: filledGroup('group', filled()),
      };
  }
}

/** A form of two questions, `s1` and `s2`, that are like this. */
export interface TraitForm extends GeneratedForm {
  questions: readonly QuestionTraits[];
}

/** Forms with two of these questions each, with what the questions look at, and with what looks at them. */
export function* traitForms(seed: number): Generator<TraitForm> {
  const { questions } = pairwiseQuestions(seed);
  const random = randomFrom(seed * 1000);
  for (let i = 0; i < questions.length; i += 2) {
    const pair = [questions[i], questions[i + 1] ?? questions[0]] as QuestionTraits[];
    yield traitForm(`traits-${seed}-${i / 2 + 1}`, pair, random);
  }
}

function traitForm(name: string, pair: readonly QuestionTraits[], random: () => number): TraitForm {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const answerOption = codes.map((code) => ({ valueCoding: coding(code) }));
  const chosen = (code: Code): TypedValue => ({ valueCoding: coding(code) });
  const placedQuestions = pair.map((question, i) => placeQuestion(`s${i + 1}`, question, random));
  const other = pick([undefined, 1, 2, 3, 4]);
  const asked: ResponseItem[] = [
    { linkId: 'gate', answer: [{ valueBoolean: pick([true, false]) }] },
    ...(other === undefined ? [] : [{ linkId: 'other', answer: [{ valueInteger: other }] }]),
    { linkId: 'pick', answer: [chosen(pick(codes))] },
    { linkId: 'list', answer: pick([['a'], ['a', 'b'], ['b', 'c'], ['a', 'b', 'c']] as Code[][]).map(chosen) },
  ];
  const calculation = (linkId: string, type: ItemType, text: string): Item => ({
    linkId,
    type,
    text: linkId,
    readOnly: true,
    extension: [calculatedBy(text)],
  });
  const url = `http://example.com/Questionnaire/${name}`;
  const concept = codes.map((code) => ({
    code,
    display: words[code],
    extension: [{ url: `${fhir}ordinalValue`, valueDecimal: points[code] }],
  }));
  const questionnaire = {
    resourceType: 'Questionnaire',
    url,
    status: 'active',
    title: name,
    contained: [{ resourceType: 'ValueSet', id: 'list', compose: { include: [{ system, concept }] } }],
    extension: [expression(`${fhir}variable`, expressions.count, 'all'), constraint('error', expressions.isFew)],
    item: [
      { linkId: 'gate', type: 'boolean', text: 'Gate' },
      { linkId: 'other', type: 'integer', text: 'Other' },
      { linkId: 'pick', type: 'choice', text: 'Pick', answerOption },
      { linkId: 'list', type: 'choice', text: 'List', repeats: true, answerOption },
      ...placedQuestions.map(({ item }) => item),
      calculation('count', 'integer', expressions.count),
      calculation('whole', 'integer', expressions.wholeNumbers),
      calculation('decimals', 'decimal', expressions.decimals),
      calculation('points', 'decimal', pick([expressions.ordinals, expressions.weights])),
      calculation('twice', 'integer', expressions.twice),
    ],
  } as Questionnaire;
  return {
    name,
    questions: pair,
    features: pair.flatMap((question) => Object.entries(question).map(([trait, value]) => `${trait}: ${value}`)),
    questionnaire,
    response: {
      resourceType: 'QuestionnaireResponse',
      questionnaire: url,
      status: 'in-progress',
      item: [...asked, ...placedQuestions.flatMap(({ given }) => given)],
    },
  };
}
