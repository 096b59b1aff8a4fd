import { describe, expect, test } from 'vitest';
import { checkQuestionnaire } from './check-questionnaire.ts';
import type { Questionnaire } from '#questionnaire/questionnaire.ts';
import { problemsOf } from '#questionnaire/checking/problems.ts';
import { findingMessage } from './finding-messages.ts';
import type { FindingCode } from './findings.ts';

const base = 'http://hl7.org/fhir/StructureDefinition/';
const loaded = (...item: unknown[]) => ({ resourceType: 'Questionnaire', status: 'active', item });
const yesNo = (linkId: string, more: object = {}) => ({ linkId, text: linkId, type: 'boolean', ...more });
const when = (question: string, more: object = { operator: '=', answerBoolean: true }) => ({
  enableWhen: [{ question, ...more }],
});

function findingCodes(input: unknown): FindingCode[] {
  return checkQuestionnaire(input)
    .findings.map(({ code }) => code)
    .filter((code) => code !== 'not_translated');
}

const options = (...codes: string[]) => codes.map((code) => ({ valueCoding: { code, display: code } }));

const sdc = 'http://hl7.org/fhir/uv/sdc/StructureDefinition/sdc-questionnaire-';
const by = (kind: string, expression: string, language = 'text/fhirpath') => ({
  extension: [{ url: `${sdc}${kind}`, valueExpression: { language, expression } }],
});
const variable = (name: string, expression: string, language = 'text/fhirpath') => ({
  url: `${base}variable`,
  valueExpression: { name, language, expression },
});

test('each extension that the engine ignores is reported once', () => {
  const style = { url: `${base}rendering-style`, valueString: 'color: red' };
  const control = { url: `${base}questionnaire-itemControl`, valueCodeableConcept: { coding: [{ code: 'gtable' }] } };
  const form = {
    ...loaded(
      {
        linkId: 'g',
        text: 'G',
        type: 'group',
        extension: [control],
        item: [yesNo('a', { _text: { extension: [style] } })],
      },
      yesNo('b', { _text: { extension: [style] }, extension: [{ url: `${sdc}shortText`, valueString: 'B' }] }),
    ),
    extension: [{ url: `${sdc}targetStructureMap`, valueCanonical: 'https://example.org/map' }],
  };
  const { findings, isUsable } = checkQuestionnaire(form);
  const notRead = findings.filter(({ code }) => code === 'not_read');
  expect(isUsable).toBe(true);
  expect(notRead.map(({ linkId, detail }) => [linkId, detail])).toEqual([
    [undefined, 'sdc-questionnaire-targetStructureMap'],
    ['g', 'questionnaire-itemControl "gtable"'],
    ['a', 'rendering-style'],
  ]);
});

describe('checkQuestionnaire reports', () => {
  const broken: [string, unknown, FindingCode][] = [
    ['no JSON', '{"resourceType": "Questionnaire"', 'not_json'],
    ['XML', '<Questionnaire xmlns="http://hl7.org/fhir"/>', 'not_json'],
    ['null', null, 'not_a_questionnaire'],
    ['a list', [1, 2], 'not_a_questionnaire'],
    ['a patient', { resourceType: 'Patient' }, 'not_a_questionnaire'],
    ['nothing to ask', { resourceType: 'Questionnaire', item: [] }, 'no_items'],
    ['item is a text', { resourceType: 'Questionnaire', item: 'a' }, 'wrong_shape'],
    ['too long a file', `{"resourceType":"Questionnaire","title":"${'x'.repeat(5_000_001)}"}`, 'too_big'],
    ['too many items', loaded(...Array.from({ length: 3001 }, (_, i) => yesNo(`q${i}`))), 'too_many_items'],
    ['nested too deep', loaded(nestedGroups(40)), 'too_deep'],
    [
      'too long a chain of conditions',
      loaded(...Array.from({ length: 400 }, (_, i) => yesNo(`q${i}`, i ? when(`q${i - 1}`) : {}))),
      'too_deep',
    ],
    [
      'too many answers',
      loaded({
        linkId: 'a',
        text: 'a',
        type: 'choice',
        answerOption: options(...Array.from({ length: 5001 }, (_, i) => `c${i}`)),
      }),
      'too_many_options',
    ],
    ['too long a text', loaded(yesNo('a', { text: 'x'.repeat(20_001) })), 'text_too_long'],
    ['a reserved linkId', loaded(yesNo('__proto__')), 'link_id_reserved'],
    ['a wrong field', loaded(yesNo('a', { enableWhen: 7 })), 'wrong_shape'],
    ['no linkId', loaded({ text: 'a', type: 'boolean' }), 'link_id_missing'],
    ['a linkId twice', loaded(yesNo('a'), yesNo('a')), 'link_id_twice'],
    ['no type', loaded({ linkId: 'a', text: 'a' }), 'type_missing'],
    ['an unknown type', loaded({ linkId: 'a', text: 'a', type: 'hologram' }), 'type_unknown'],
    ['a reference', loaded({ linkId: 'a', text: 'a', type: 'reference' }), 'reference_typed'],
    ['R5', loaded({ linkId: 'a', text: 'a', type: 'coding', answerOption: options('x') }), 'other_version'],
    ['R5 by a field', loaded(yesNo('a', { answerConstraint: 'optionsOnly' })), 'other_version'],
    ['STU3 by its options', loaded({ linkId: 'a', text: 'a', type: 'choice', option: options('x') }), 'other_version'],
    ['STU3 by its initial value', loaded(yesNo('a', { initialBoolean: true })), 'other_version'],
    [
      'STU3 by a condition',
      loaded(yesNo('a'), yesNo('b', { enableWhen: [{ question: 'a', hasAnswer: true }] })),
      'other_version',
    ],
    ['DSTU2', { resourceType: 'Questionnaire', group: { linkId: 'a', question: [] } }, 'other_version'],
    ['no text', loaded({ linkId: 'a', type: 'boolean' }), 'text_missing'],
    [
      'a condition on nothing',
      loaded(yesNo('a', { enableWhen: [{ operator: '=', answerBoolean: true }] })),
      'condition_without_question',
    ],
    ['a condition on an unknown question', loaded(yesNo('a', when('z'))), 'condition_question_missing'],
    [
      'a condition on a group',
      loaded({ linkId: 'g', type: 'group', item: [yesNo('a')] }, yesNo('b', when('g'))),
      'condition_question_missing',
    ],
    [
      'a wrong operator',
      loaded(yesNo('a'), yesNo('b', when('a', { operator: '~', answerBoolean: true }))),
      'condition_operator_wrong',
    ],
    [
      'a condition without an answer',
      loaded(yesNo('a'), yesNo('b', when('a', { operator: '=' }))),
      'condition_answer_missing',
    ],
    [
      'a condition that cannot hold',
      loaded(yesNo('a'), yesNo('b', when('a', { operator: '=', answerString: 'x' }))),
      'condition_answer_wrong_type',
    ],
    [
      'exists with a code',
      loaded(yesNo('a'), yesNo('b', when('a', { operator: 'exists', answerCoding: { code: 'x' } }))),
      'condition_answer_wrong_type',
    ],
    ['a condition on itself', loaded(yesNo('a', when('a'))), 'condition_on_itself'],
    ['a circle', loaded(yesNo('a', when('b')), yesNo('b', when('c')), yesNo('c', when('a'))), 'conditions_in_a_circle'],
    [
      'a circle through a group',
      loaded({ linkId: 'g', type: 'group', ...when('a'), item: [yesNo('a')] }),
      'conditions_in_a_circle',
    ],
    [
      'several conditions, none or all?',
      loaded(yesNo('a'), yesNo('b', { enableWhen: [when('a').enableWhen[0], when('a').enableWhen[0]] })),
      'behavior_missing',
    ],
    [
      'a value set outside of the file',
      loaded({ linkId: 'a', text: 'a', type: 'choice', answerValueSet: 'http://loinc.org/vs/LL358-3' }),
      'value_set_elsewhere',
    ],
    [
      'a value set that is missing',
      loaded({ linkId: 'a', text: 'a', type: 'choice', answerValueSet: '#none' }),
      'value_set_missing',
    ],
    ['a choice of nothing', loaded({ linkId: 'a', text: 'a', type: 'choice' }), 'choice_without_options'],
    [
      'an answer twice',
      loaded({ linkId: 'a', text: 'a', type: 'choice', answerOption: options('x', 'x') }),
      'option_twice',
    ],
    ['options of a yes-or-no question', loaded(yesNo('a', { answerOption: options('x') })), 'options_not_used'],
    ['an empty group', loaded({ linkId: 'a', text: 'a', type: 'group' }), 'group_without_items'],
    [
      'items in a display text',
      loaded({ linkId: 'a', text: 'a', type: 'display', item: [yesNo('b')] }),
      'display_with_items',
    ],
    ['a wrong initial value', loaded(yesNo('a', { initial: [{ valueString: 'x' }] })), 'initial_wrong'],
    [
      'a pattern with look-ahead',
      loaded({ linkId: 'a', text: 'a', type: 'string', extension: [{ url: `${base}regex`, valueString: '(?=a)a' }] }),
      'pattern_not_understood',
    ],
    [
      'lowest above highest',
      loaded({
        linkId: 'a',
        text: 'a',
        type: 'integer',
        extension: [
          { url: `${base}minValue`, valueInteger: 9 },
          { url: `${base}maxValue`, valueInteger: 3 },
        ],
      }),
      'range_empty',
    ],
    [
      'more demanded than allowed',
      loaded({
        linkId: 'a',
        text: 'a',
        type: 'string',
        extension: [{ url: `${base}questionnaire-minOccurs`, valueInteger: 2 }],
      }),
      'occurs_empty',
    ],
    [
      'more demanded than offered',
      loaded({
        linkId: 'a',
        text: 'a',
        type: 'choice',
        repeats: true,
        answerOption: [{ valueCoding: { code: 'x' } }, { valueCoding: { code: 'y' } }],
        extension: [{ url: `${base}questionnaire-minOccurs`, valueInteger: 3 }],
      }),
      'options_too_few',
    ],
    [
      'CQL',
      loaded({
        linkId: 'a',
        text: 'a',
        type: 'decimal',
        extension: [
          {
            url: 'http://hl7.org/fhir/uv/sdc/StructureDefinition/sdc-questionnaire-calculatedExpression',
            valueExpression: { language: 'text/cql', expression: 'x' },
          },
        ],
      }),
      'expression_language',
    ],
    ['a condition in CQL', loaded(yesNo('a', by('enableWhenExpression', 'x', 'text/cql'))), 'condition_language'],
    [
      'a variable that is a FHIR search',
      { ...loaded(yesNo('a')), extension: [variable('patient', 'Patient/1', 'application/x-fhir-query')] },
      'expression_language',
    ],
    ['an undefined name', loaded(yesNo('a', by('calculatedExpression', '%nobody.active'))), 'name_not_defined'],
    [
      'an item of another questionnaire',
      loaded({
        linkId: 'a',
        text: 'a',
        type: 'display',
        extension: [{ url: `${sdc}subQuestionnaire`, valueCanonical: 'http://example.org/part' }],
      }),
      'not_assembled',
    ],
    [
      'a required file that no photo can be',
      loaded({
        linkId: 'a',
        text: 'a',
        type: 'attachment',
        extension: [{ url: `${base}mimeType`, valueCode: 'application/pdf' }],
      }),
      'file_is_no_photo',
    ],
    [
      'a part of a form',
      {
        ...loaded(yesNo('a')),
        extension: [{ url: `${sdc}assemble-expectation`, valueCode: 'assemble-child' }],
      },
      'part_of_a_form',
    ],
  ];

  test.each(broken)('%s', (_, input, code) => {
    expect(findingCodes(input)).toContain(code);
    const said = checkQuestionnaire(input).findings.find((one) => one.code === code);
    expect(said && findingMessage(said, 'en')).not.toMatch(/\{n\}/);
    expect(said && findingMessage(said, 'es')).not.toBe(said && findingMessage(said, 'en'));
  });

  function nestedGroups(depth: number): object {
    return depth === 0 ? yesNo('deep') : { linkId: `g${depth}`, type: 'group', item: [nestedGroups(depth - 1)] };
  }

  test.each(['__proto__', 'constructor', 'toString'])(
    'a field called %s is treated like any unknown field',
    (field) => {
      const text = JSON.stringify(loaded(yesNo('a'))).replace('{', `{"${field}":{"x":1},`);
      expect(checkQuestionnaire(text)).toMatchObject({
        findings: checkQuestionnaire(loaded(yesNo('a'))).findings,
        isUsable: true,
      });
    },
  );

  test('an error behind hundreds of warnings still keeps the form from being used', () => {
    const warned = Array.from({ length: 600 }, (_, i) => ({ linkId: `q${i}`, type: 'string' }));
    const { findings, isUsable } = checkQuestionnaire(loaded(...warned, yesNo('a', when('nobody'))));
    expect(isUsable).toBe(false);
    expect(findings).toHaveLength(500);
    expect(findings.filter(({ severity }) => severity === 'error')).toMatchObject([{ linkId: 'a' }]);
  });

  test('`place` is the JSON path in the file', () => {
    const { findings } = checkQuestionnaire(
      loaded(yesNo('a'), { linkId: 'g', type: 'group', item: [yesNo('b', when('z'))] }),
    );
    expect(findings).toContainEqual({
      code: 'condition_question_missing',
      severity: 'error',
      place: 'item[1].item[0].enableWhen[0].question',
      linkId: 'b',
      detail: 'z',
      itemText: 'b',
    });
  });

  test('an undefined name is reported with its expression, and the form stays usable', () => {
    const { findings, isUsable } = checkQuestionnaire(
      loaded(yesNo('a', by('initialExpression', '%patient.active and %sct.exists()'))),
    );
    expect(isUsable).toBe(true);
    expect(findings.find(({ code }) => code === 'name_not_defined')).toMatchObject({
      severity: 'warning',
      linkId: 'a',
      itemText: 'a',
      detail: '%patient',
      expression: '%patient.active and %sct.exists()',
    });
  });

  test.each(['calculatedExpression', 'initialExpression'])(
    'a form with %s in CQL is usable: its question is left to the patient',
    (kind) => {
      const { findings, isUsable } = checkQuestionnaire(loaded(yesNo('a', by(kind, 'x', 'text/cql'))));
      expect([isUsable, findings.find(({ code }) => code === 'expression_language')?.severity]).toEqual([
        true,
        'warning',
      ]);
    },
  );

  test('a name that a variable in another language defines is not reported a second time', () => {
    const input = {
      ...loaded(yesNo('a', by('initialExpression', '%last.value'))),
      extension: [variable('last', 'Observation?code=1', 'application/x-fhir-query')],
    };
    expect(findingCodes(input)).toEqual(['expression_language']);
  });

  const latest = (expression: string) => ({
    url: `${base}maxValue`,
    _valueDate: {
      extension: [{ url: `${base}cqf-calculatedValue`, valueExpression: { language: 'text/fhirpath', expression } }],
    },
  });

  test('a limit counted from today is still checked after loading', () => {
    const asked = (expression: string) =>
      checkQuestionnaire(loaded({ linkId: 'a', text: 'a', type: 'date', extension: [latest(expression)] }));
    const { questionnaire, findings } = asked('today() + 2 weeks');
    expect(findings.map(({ code }) => code)).not.toContain('limit_not_understood');
    const codes = (day: string) =>
      problemsOf(questionnaire as Questionnaire, { a: [day] }, { today: '2026-05-04' }).map(({ code }) => code);
    expect(codes('2026-05-18')).toEqual([]);
    expect(codes('2026-05-19')).toEqual(['too_late']);
    expect(asked('%birthDate + 18 years').findings).toContainEqual(
      expect.objectContaining({ code: 'limit_not_understood', severity: 'warning', detail: '%birthDate + 18 years' }),
    );
  });

  test('a translation of an extension’s value stays', () => {
    const entryFormat = {
      url: `${base}entryFormat`,
      valueString: 'MM/DD/YYYY',
      _valueString: {
        extension: [
          {
            url: `${base}translation`,
            extension: [
              { url: 'lang', valueCode: 'es' },
              { url: 'content', valueString: 'DD/MM/AAAA' },
            ],
          },
        ],
      },
    };
    const { questionnaire } = checkQuestionnaire(loaded(yesNo('a', { type: 'string', extension: [entryFormat] })));
    expect(questionnaire?.item?.[0]?.extension).toEqual([entryFormat]);
  });

  test('an item of an unknown type stays', () => {
    const { questionnaire, isUsable } = checkQuestionnaire(
      loaded(yesNo('a'), { linkId: 'b', text: 'b', type: 'hologram' }),
    );
    expect(questionnaire?.item?.map(({ type }) => type)).toEqual(['boolean', 'hologram']);
    expect(isUsable).toBe(true);
  });

  test('a contained list is offered, and a bundle of one questionnaire is that questionnaire', () => {
    const contained = [
      {
        resourceType: 'ValueSet',
        id: 'yn',
        compose: { include: [{ system: 's', concept: [{ code: 'y' }, { code: 'n' }] }] },
      },
    ];
    const questionnaire = { ...loaded({ linkId: 'a', text: '1', type: 'choice', answerValueSet: '#yn' }), contained };
    expect(findingCodes(questionnaire)).toEqual([]);
    expect(findingCodes({ resourceType: 'Bundle', entry: [{ resource: questionnaire }] })).toEqual([]);
  });
});

test('a finding that counts texts without Spanish says one text in the singular', () => {
  const messagesOf = (...texts: string[]) =>
    checkQuestionnaire(loaded(...texts.map((text, i) => yesNo(`q${i}`, { text }))))
      .findings.filter(({ code }) => code === 'not_translated')
      .flatMap((finding) => [findingMessage(finding, 'en'), findingMessage(finding, 'es')]);
  expect(messagesOf('Do you smoke?')).toEqual([
    '1 text has no Spanish (translation extension). Spanish-speaking patients read it in English.',
    '1 texto no tiene español (extensión translation). Los pacientes de habla hispana lo leerán en inglés.',
  ]);
  expect(messagesOf('Do you smoke?', 'Do you drink?')).toEqual([
    expect.stringMatching(/^2 texts have no Spanish/),
    expect.stringMatching(/^2 textos no tienen español/),
  ]);
});
