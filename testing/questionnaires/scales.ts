import {
  ask,
  choice,
  codes,
  containedValueSet,
  control,
  expression,
  flag,
  group,
  loinc,
  questionnaire,
  scale,
  variable,
  whenCode,
  whole,
} from '#questionnaire/test-builders.ts';
import type { Item } from '#questionnaire/questionnaire.ts';

// Scored scales. The questions are our own; the shapes are those of published scales.

const frequency = scale('Not at all', 'Several days', 'More than half the days', 'Nearly every day');

function rows(from: string, texts: readonly string[], answers: typeof frequency, more: Partial<Item> = {}): Item[] {
  return texts.map((text, i) =>
    choice(`/${from}/${i + 1}`, text, answers, {
      prefix: `${i + 1}.`,
      required: true,
      code: [{ system: loinc, code: `${44250 + i}-${i % 10}`, display: text }],
      extension: [control('radio-button')],
      ...more,
    }),
  );
}

const total = (linkId: string, text: string, of: string): Item =>
  ask(linkId, text, 'integer', {
    readOnly: true,
    extension: [
      { url: 'http://hl7.org/fhir/StructureDefinition/questionnaire-unit', valueCoding: { display: '{score}' } },
      expression(
        'calculatedExpression',
        `%resource.descendants().where(linkId.startsWith('/${of}/')).answer.value.ordinal().sum()`,
      ),
    ],
  });

const mood = [
  'Little joy in what you do',
  'Feeling low',
  'Sleeping badly',
  'Being tired',
  'Eating too little or too much',
];
export const mood9 = questionnaire('mood-9', 'Nine questions about mood', [
  ask('/intro', 'Over the last two weeks, how often were you bothered by the following?', 'display'),
  ...rows(
    'mood',
    [...mood, 'Thinking badly of yourself', 'Trouble concentrating', 'Moving slowly or restlessly', 'Thoughts of harm'],
    frequency,
  ),
  choice('/difficulty', 'How hard did this make your days?', codes('Not hard', 'Somewhat hard', 'Very hard'), {
    enableBehavior: 'any',
    enableWhen: [1, 2].map((i) => ({
      question: `/mood/${i}`,
      operator: '!=' as const,
      answerCoding: { system: loinc, code: 'LA6568-0' },
    })),
  }),
  total('/total', 'Total', 'mood'),
]);

export const worry7 = questionnaire(
  'worry-7',
  'Seven questions about worry',
  [
    group(
      'table',
      'In the last two weeks',
      [
        'Feeling nervous',
        'Worrying without end',
        'Worrying about many things',
        'Not relaxing',
        'Restless',
        'Irritable',
        'Afraid',
      ].map((text, i) => ask(`w${i}`, text, 'choice', { required: true, answerValueSet: '#often' })),
      { extension: [control('htable')] },
    ),
  ],
  { contained: [containedValueSet('often', 'Not at all', 'Several days', 'More than half', 'Nearly every day')] },
);

export const afterBirth = questionnaire(
  'after-birth',
  'After the birth',
  ['I could laugh', 'I looked forward to things', 'I blamed myself', 'I was anxious', 'I felt scared'].map(
    (text, i) => ({
      ...choice(`e${i}`, text, scale('As much as ever', 'Less than before', 'Hardly', 'Not at all'), {
        required: true,
      }),
      prefix: String.fromCharCode(97 + i) + ')',
    }),
  ),
);

export const drinking = questionnaire('drinking', 'Alcohol', [
  choice('often', 'How often do you drink?', codes('Never', 'Monthly', 'Weekly', 'Daily'), { required: true }),
  ask('how-many', 'How many drinks on such a day?', 'integer', {
    required: true,
    enableWhen: [whenCode('often', 'Never', '!=')],
    extension: [whole('minValue', 0), whole('maxValue', 60)],
  }),
  choice('six', 'How often six or more?', codes('Never', 'Monthly', 'Weekly', 'Daily'), {
    required: true,
    enableBehavior: 'all',
    enableWhen: [whenCode('often', 'Never', '!='), { question: 'how-many', operator: '>=', answerInteger: 3 }],
  }),
]);

export const substances = questionnaire('substances', 'Ten yes or no questions', [
  ...Array.from({ length: 10 }, (_, i) =>
    ask(`d${i + 1}`, `Question ${i + 1} about the last year`, 'boolean', { required: true }),
  ),
  ask('more', 'Would you like to talk about it?', 'boolean', {
    enableBehavior: 'any',
    enableWhen: Array.from({ length: 10 }, (_, i) => ({
      question: `d${i + 1}`,
      operator: '=' as const,
      answerBoolean: true,
    })),
  }),
]);

export const safety = questionnaire('safety', 'Safety questions', [
  ask('s1', 'Have you wished you were not here?', 'boolean', { required: true }),
  ask('s2', 'Have you thought of harming yourself?', 'boolean', { required: true }),
  group(
    'further',
    'A few more questions',
    [
      ask('s3', 'Have you thought of how?', 'boolean', { required: true }),
      ask('s4', 'Have you made plans?', 'boolean', { required: true }),
    ],
    { enableWhen: [{ question: 's2', operator: '=', answerBoolean: true }] },
  ),
  ask('s5', 'Have you ever done anything?', 'boolean', { required: true }),
  ask('s6', 'Was it in the last three months?', 'boolean', {
    required: true,
    enableWhen: [{ question: 's5', operator: '=', answerBoolean: true }],
  }),
  ask('call', 'You can call or text 988 at any time.', 'display', {
    enableBehavior: 'any',
    enableWhen: [
      { question: 's4', operator: '=', answerBoolean: true },
      { question: 's6', operator: '=', answerBoolean: true },
    ],
  }),
]);

export const wellbeing = questionnaire(
  'wellbeing',
  'Short form',
  [
    group(
      'physical',
      'Physical',
      rows(
        'p',
        ['Climbing stairs', 'Walking a mile'],
        scale('Without any difficulty', 'With some', 'With much', 'Unable'),
      ),
    ),
    group(
      'sleep',
      'Sleep',
      rows('s', ['My sleep was refreshing', 'I had trouble sleeping'], scale('Never', 'Rarely', 'Often', 'Always'), {
        extension: [control('drop-down')],
      }),
    ),
    ask('score', 'Score', 'decimal', {
      readOnly: true,
      extension: [flag('questionnaire-hidden'), expression('calculatedExpression', '%answered * 100 / 4')],
    }),
  ],
  {
    extension: [
      variable(
        'answered',
        "%resource.descendants().where(linkId.startsWith('/p/') or linkId.startsWith('/s/')).answer.count()",
      ),
    ],
  },
);
