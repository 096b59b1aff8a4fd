import {
  ask,
  base,
  choice,
  codes,
  coding,
  containedValueSet,
  control,
  decimal,
  expression,
  flag,
  group,
  loinc,
  questionnaire,
  regex,
  scale,
  unit,
  unitOption,
  whenCode,
  whenYes,
  whole,
} from '#questionnaire/test-builders.ts';

// Panels, histories and checklists. The questions are our own; the shapes are those of published forms.

export const loincPanel = questionnaire(
  'us-family-history',
  'Family health portrait',
  [
    group('/54126-8', 'Your own history', [
      ask('/54126-8/54125-0', 'Name', 'string', { prefix: '1', maxLength: 80, required: true }),
      choice('/54126-8/54131-8', 'Gender', codes('Female', 'Male', 'Another'), { extension: [control('drop-down')] }),
      ask('/54126-8/21112-8', 'Date of birth', 'date'),
      ask('/54126-8/8302-2', 'Height', 'decimal', { extension: [unit('[in_i]'), decimal('minValue', 10)] }),
      group(
        '/54126-8/54137-5',
        'Your diseases',
        [
          ask('/54126-8/54137-5/54140-9', 'Disease', 'open-choice', {
            answerOption: codes('Asthma', 'Diabetes'),
            required: true,
          }),
          choice('/54126-8/54137-5/54130-0', 'Age at diagnosis', codes('Child', 'Adult'), {
            enableWhen: [{ question: '/54126-8/54137-5/54140-9', operator: 'exists', answerBoolean: true }],
          }),
        ],
        { repeats: true, extension: [control('gtable'), whole('questionnaire-maxOccurs', 5)] },
      ),
    ]),
    group(
      '/54114-4',
      'Family member',
      [
        choice('/54114-4/54136-7', 'Relationship', codes('Mother', 'Father', 'Sister'), { required: true }),
        choice('/54114-4/54139-1', 'Living?', scale('Yes', 'No')),
        group(
          '/54114-4/54117-7',
          'Diseases',
          [ask('/54114-4/54117-7/54116-9', 'Disease', 'string', { required: true })],
          { repeats: true },
        ),
      ],
      { repeats: true, required: true },
    ),
  ],
  { code: [{ system: loinc, code: '54127-6', display: 'Family health portrait' }] },
);

export const socialNeeds = questionnaire('social-needs', 'What you need', [
  group('home', 'Home', [
    choice('housing', 'Where do you live now?', codes('I have a place', 'I may lose it', 'I have none'), {
      required: true,
    }),
    choice(
      'problems',
      'Is there any of this at home?',
      [
        ...codes('Pests', 'Mold', 'No heat', 'Leaks'),
        { extension: [flag('questionnaire-optionExclusive')], valueCoding: coding('None of these') },
      ],
      { repeats: true, required: true, extension: [control('check-box')] },
    ),
  ]),
  group('money', 'Money', [
    ask('people', 'How many people live with you?', 'integer', {
      extension: [whole('minValue', 0), whole('maxValue', 30)],
    }),
    choice('hard', 'How hard is it to pay for the basics?', scale('Very', 'Somewhat', 'Not'), { required: true }),
    choice('decline', 'I choose not to answer', codes('I choose not to answer'), { extension: [control('check-box')] }),
    ask('income', 'Income last year', 'quantity', {
      extension: [unitOption('USD'), decimal('minValue', 0)],
      enableWhen: [{ question: 'decline', operator: 'exists', answerBoolean: false }],
    }),
  ]),
]);

export const accountable = questionnaire('needs-screening', 'Health-related needs', [
  group('core', 'Core', [
    ask('food', 'The food did not last', 'choice', {
      answerOption: [{ valueString: 'Often' }, { valueString: 'Sometimes' }, { valueString: 'Never' }],
    }),
    ask('hurt', 'How often does anyone hurt you?', 'choice', {
      answerOption: [1, 2, 3, 4, 5].map((valueInteger) => ({ valueInteger })),
    }),
    ask('afraid', 'Would you like help with this?', 'boolean', {
      enableWhen: [{ question: 'hurt', operator: '>', answerInteger: 2 }],
    }),
    ask('meals', 'Would you like help with food?', 'boolean', {
      enableWhen: [
        { question: 'food', operator: '=', answerString: 'Often' },
        { question: 'food', operator: '=', answerString: 'Sometimes' },
      ],
      enableBehavior: 'any',
    }),
  ]),
]);

export const toddler = questionnaire(
  'toddler',
  'Twenty questions about your toddler',
  Array.from({ length: 20 }, (_, i) =>
    ask(`${i + 1}`, `Does your child do this (${i + 1})?`, 'boolean', {
      prefix: `${i + 1}.`,
      required: true,
      item: [
        ask(`${i + 1}.note`, 'For example when playing.', 'display'),
        ask(`${i + 1}.example`, 'Please give an example', 'text', {
          enableWhen: [whenYes(String(i + 1), i % 2 === 0)],
        }),
      ],
    }),
  ),
);

export const milestones = questionnaire('milestones', 'Milestones', [
  ask('born', 'Born on', 'date', { required: true }),
  ask('weeks-early', 'Weeks early', 'integer', {
    initial: [{ valueInteger: 0 }],
    extension: [whole('minValue', 0), whole('maxValue', 20)],
  }),
  ...['Talking', 'Moving', 'Playing'].map((area) =>
    group(
      area,
      area,
      [1, 2, 3, 4, 5, 6].map((i) =>
        choice(`${area}-${i}`, `Step ${i}`, scale('Not yet', 'Sometimes', 'Yes'), { required: true }),
      ),
      {
        extension: [control('page')],
      },
    ),
  ),
]);

export const attention = questionnaire('attention', 'Attention at home', [
  group(
    'table',
    'How often?',
    Array.from({ length: 18 }, (_, i) =>
      choice(`v${i}`, `Behavior ${i + 1}`, scale('Never', 'Sometimes', 'Often', 'Very often'), { required: true }),
    ),
    { extension: [control('htable')] },
  ),
  ask('teacher', 'Who else should we ask?', 'reference'),
]);

export const vitals = questionnaire('vitals', 'Measured at home', [
  ask('weight', 'Weight', 'quantity', {
    required: true,
    extension: [unitOption('kg'), unitOption('[lb_av]'), decimal('minValue', 1), decimal('maxValue', 500)],
  }),
  ask('heavier', 'Has it changed?', 'boolean', {
    enableWhen: [
      {
        question: 'weight',
        operator: '>',
        answerQuantity: { value: 100, unit: 'kg', system: 'http://unitsofmeasure.org', code: 'kg' },
      },
    ],
  }),
  ask('temperature', 'Temperature', 'decimal', {
    extension: [unit('Cel'), decimal('minValue', 30), decimal('maxValue', 45), whole('maxDecimalPlaces', 1)],
  }),
  ask('fever-since', 'Since when?', 'dateTime', {
    enableWhen: [{ question: 'temperature', operator: '>=', answerDecimal: 38 }],
  }),
  ask('measured', 'At what time?', 'time', { required: true }),
]);

export const medicines = questionnaire(
  'medicines',
  'What you take',
  [
    group(
      'medicine',
      'Medicine',
      [
        ask('name', 'Name', 'open-choice', {
          required: true,
          answerValueSet: 'http://example.org/ValueSet/all-medicines',
          extension: [control('autocomplete')],
        }),
        ask('dose', 'Dose', 'quantity', { extension: [unitOption('mg'), unitOption('mL')] }),
        ask('since', 'Since', 'date'),
        ask('stopped', 'Did you stop?', 'boolean', { item: [ask('why', 'Why?', 'string', { required: true })] }),
      ],
      {
        repeats: true,
        required: true,
        extension: [whole('questionnaire-minOccurs', 1), whole('questionnaire-maxOccurs', 12)],
      },
    ),
    ask('allergies', 'Allergies', 'choice', { answerValueSet: '#allergies', repeats: true }),
  ],
  { contained: [containedValueSet('allergies', 'Penicillin', 'Latex', 'Nuts')] },
);

export const vaccines = questionnaire('vaccine-checklist', 'Before a vaccination', [
  ...['Sick today?', 'Any allergies?', 'A reaction before?', 'Pregnant?'].map((text, i) =>
    choice(`c${i}`, text, codes('Yes', 'No', "Don't know"), {
      required: true,
      extension: [{ url: `${base}questionnaire-choiceOrientation`, valueCode: 'horizontal' }],
    }),
  ),
  ask('explain', 'Please tell more', 'text', {
    enableBehavior: 'any',
    enableWhen: [0, 1, 2, 3].map((i) => whenCode(`c${i}`, 'Yes')),
  }),
  ask('email', 'Where may we send the record?', 'string', {
    extension: [regex('[^@\\s]+@[^@\\s]+'), { url: `${base}entryFormat`, valueString: 'name@example.org' }],
  }),
]);

export const beforeSurgery = questionnaire('before-surgery', 'Before surgery', [
  ask('ate', 'When did you last eat?', 'dateTime', { required: true }),
  ask('surgery', 'Day of surgery', 'date', { required: true }),
  ask('arrive', 'When can you be here?', 'choice', {
    answerOption: [{ valueTime: '06:30:00' }, { valueTime: '08:00:00' }],
  }),
  ask('day', 'Which day suits you?', 'choice', {
    answerOption: [{ valueDate: '2026-05-04' }, { valueDate: '2026-05-05' }],
  }),
  ask('site', 'Your operation letter', 'attachment', {
    extension: [{ url: `${base}mimeType`, valueCode: 'application/pdf' }, decimal('maxSize', 5)],
  }),
  ask('web', 'A page that tells about it', 'url'),
]);

export const expressions = questionnaire('body-mass', 'Height, weight and what follows', [
  ask('height', 'Height in meters', 'decimal', {
    required: true,
    extension: [decimal('minValue', 0.3), decimal('maxValue', 2.5)],
  }),
  ask('weight', 'Weight in kilograms', 'decimal', {
    required: true,
    extension: [decimal('minValue', 1), decimal('maxValue', 400)],
  }),
  ask('bmi', 'Body mass index', 'decimal', {
    readOnly: true,
    extension: [
      expression(
        'calculatedExpression',
        "(%resource.item.where(linkId='weight').answer.value / (%resource.item.where(linkId='height').answer.value * %resource.item.where(linkId='height').answer.value)).round(1)",
      ),
    ],
  }),
  ask('advice', 'Would you like to talk about your weight?', 'boolean', {
    required: true,
    extension: [expression('enableWhenExpression', "%resource.item.where(linkId='bmi').answer.value > 30")],
  }),
  ask('today', 'Today', 'date', { extension: [expression('initialExpression', 'today()')] }),
]);

export const pain = questionnaire('pain', 'Pain', [
  ask('where', 'Where does it hurt?', 'choice', {
    repeats: true,
    required: true,
    answerOption: codes('Head', 'Back', 'Knee'),
    item: [
      ask('how-much', 'How much?', 'integer', {
        required: true,
        extension: [control('slider'), whole('minValue', 0), whole('maxValue', 10)],
        item: [
          ask('none', 'None', 'display', { extension: [control('lower')] }),
          ask('worst', 'Worst', 'display', { extension: [control('upper')] }),
        ],
      }),
    ],
  }),
  ask('picture', 'A photo', 'attachment', { repeats: true, extension: [whole('questionnaire-maxOccurs', 3)] }),
]);

export const signedRelease = questionnaire(
  'release',
  'Release of records',
  [
    ask('terms', 'I allow my records to be sent.', 'display'),
    ask('to', 'To whom?', 'string', { required: true, extension: [whole('minLength', 3)] }),
    ask('until', 'Until', 'date', {
      extension: [
        {
          url: `${base}minValue`,
          _valueDate: {
            extension: [
              {
                url: `${base}cqf-calculatedValue`,
                valueExpression: { language: 'text/fhirpath', expression: 'today()' },
              },
            ],
          },
        } as never,
      ],
    }),
  ],
  {
    extension: [
      {
        url: `${base}questionnaire-signatureRequired`,
        valueCodeableConcept: { coding: [{ code: '1.2.840.10065.1.12.1.1' }] },
      },
    ],
  },
);

export const travel = questionnaire('travel', 'Travel and exposure', [
  group('outer', 'Travel', [
    ask('abroad', 'Were you abroad?', 'boolean', { required: true }),
    group(
      'trip',
      'Trip',
      [
        ask('country', 'Country', 'string', { required: true }),
        ask('sick', 'Were you sick there?', 'boolean'),
        group('illness', 'Illness', [ask('illness-what', 'What was it?', 'string', { required: true })], {
          enableWhen: [whenYes('sick')],
        }),
      ],
      { repeats: true, enableWhen: [whenYes('abroad')] },
    ),
  ]),
  ask('note', 'Please tell the doctor.', 'display', { enableWhen: [whenYes('sick')] }),
  ask('scan', 'Scan of the passport', 'hologram', { required: true }),
]);
