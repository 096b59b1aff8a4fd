import { describe, expect, test } from 'vitest';
import { formOf } from '#questionnaire/form.ts';
import { labelOf } from '#questionnaire/options.ts';
import { checkQuestionnaire } from './check-questionnaire.ts';
import { missingValueSets, type SuppliedValueSet } from './value-sets.ts';

const animals = {
  resourceType: 'CodeSystem',
  url: 'urn:animals',
  content: 'complete',
  concept: [
    {
      code: 'mammal',
      display: 'Mammal',
      property: [{ code: 'notSelectable', valueBoolean: true }],
      concept: [
        { code: 'cat', display: 'Cat', property: [{ code: 'legs', valueInteger: 4 }] },
        { code: 'dog', display: 'Dog', property: [{ code: 'legs', valueInteger: 4 }] },
        {
          code: 'human',
          display: 'Human',
          designation: [{ language: 'es', value: 'Persona' }],
          property: [
            { code: 'legs', valueInteger: 2 },
            { code: 'itemWeight', valueDecimal: 7 },
          ],
        },
      ],
    },
    { code: 'bird', display: 'Bird', property: [{ code: 'legs', valueInteger: 2 }] },
  ],
};

type Part = Record<string, unknown>;
const set = (id: string, include: Part[], exclude?: Part[]) => ({
  resourceType: 'ValueSet',
  id,
  url: `urn:set:${id}`,
  compose: { include, ...(exclude && { exclude }) },
});
const asks = (answerValueSet: string, contained: unknown[] = [], more: object = {}) => ({
  resourceType: 'Questionnaire',
  title: 'T',
  contained,
  item: [{ linkId: 'a', text: 'Which?', type: 'choice', answerValueSet, ...more }],
});
const bundle = (...resources: unknown[]) => ({
  resourceType: 'Bundle',
  entry: resources.map((resource) => ({ resource })),
});

/** The codes that the first question offers, and what was found. */
function load(input: unknown) {
  const { questionnaire, findings, isUsable } = checkQuestionnaire(JSON.stringify(input));
  const item = questionnaire && formOf(questionnaire).byLinkId.get('a');
  const codes = item?.options.map(({ value }) => (value as { code: string }).code) ?? [];
  return { codes, findings: findings.filter(({ code }) => code !== 'not_translated'), isUsable, item, questionnaire };
}
const offered = (include: Part[], exclude?: Part[]) => load(asks('#s', [animals, set('s', include, exclude)])).codes;
const filtered = (property: string, op: string, value: string) =>
  offered([{ system: 'urn:animals', filter: [{ property, op, value }] }]);

describe('a contained value set offers', () => {
  test('every concept of its code system that can be chosen', () => {
    expect(offered([{ system: 'urn:animals' }])).toEqual(['cat', 'dog', 'human', 'bird']);
  });

  test.each([
    ['concept', 'is-a', 'mammal', ['cat', 'dog', 'human']],
    ['concept', 'descendent-of', 'cat', []],
    ['concept', 'child-of', 'mammal', ['cat', 'dog', 'human']],
    ['concept', 'is-not-a', 'mammal', ['bird']],
    ['concept', 'in', 'cat, bird', ['cat', 'bird']],
    ['concept', 'not-in', 'cat,bird', ['dog', 'human']],
    ['code', 'regex', '[cd].*', ['cat', 'dog']],
    ['display', '=', 'Bird', ['bird']],
    ['parent', '=', 'mammal', ['cat', 'dog', 'human']],
    ['legs', '=', '2', ['human', 'bird']],
    ['itemWeight', 'exists', 'true', ['human']],
    ['inactive', '=', 'false', ['cat', 'dog', 'human', 'bird']],
  ])('what the filter %s %s %s leaves', (property, op, value, codes) => {
    expect(filtered(property, op, value)).toEqual(codes);
  });

  test('the concepts that match all of its filters', () => {
    const filter = [
      { property: 'concept', op: 'is-a', value: 'mammal' },
      { property: 'legs', op: '=', value: '2' },
    ];
    expect(offered([{ system: 'urn:animals', filter }])).toEqual(['human']);
  });

  test('the included concepts without the excluded ones', () => {
    const others = [{ system: 'urn:animals' }, { system: 'urn:other', concept: [{ code: 'x' }] }];
    expect(offered(others, [{ system: 'urn:animals', concept: [{ code: 'dog' }] }])).toEqual([
      'cat',
      'human',
      'bird',
      'x',
    ]);
  });

  test('the concepts that all imported value sets of one part share', () => {
    const contained = [
      animals,
      set('two', [{ system: 'urn:animals', filter: [{ property: 'legs', op: '=', value: '2' }] }]),
      set('mammals', [{ system: 'urn:animals', filter: [{ property: 'concept', op: 'is-a', value: 'mammal' }] }]),
      set('s', [{ valueSet: ['urn:set:two', '#mammals'] }]),
      set('either', [{ valueSet: ['urn:set:two'] }, { valueSet: ['urn:set:mammals'] }]),
    ];
    expect(load(asks('#s', contained)).codes).toEqual(['human']);
    expect(load(asks('#either', contained)).codes).toEqual(['human', 'bird', 'cat', 'dog']);
  });

  test('the texts, translations and weights of its code system', () => {
    const { item, questionnaire } = load(
      asks('#s', [animals, set('s', [{ system: 'urn:animals', concept: [{ code: 'human' }] }])]),
    );
    const option = item?.options[0];
    expect(option && [labelOf(option, 'en'), labelOf(option, 'es'), option.score]).toEqual(['Human', 'Persona', 7]);
    expect(JSON.stringify(questionnaire)).not.toContain('Bird');
  });

  test('its own expansion, without what only heads others', () => {
    const contains = [{ system: 's', code: 'all', abstract: true, contains: [{ system: 's', code: 'one' }] }];
    const contained = [{ resourceType: 'ValueSet', id: 's', expansion: { contains } }];
    expect(load(asks('#s', contained)).codes).toEqual(['one']);
  });
});

describe('a bundle', () => {
  test('gives its questionnaire the value sets and code systems in it', () => {
    const birds = set(
      'birds',
      [{ valueSet: ['urn:set:two'] }],
      [{ system: 'urn:animals', concept: [{ code: 'human' }] }],
    );
    const two = set('two', [{ system: 'urn:animals', filter: [{ property: 'legs', op: '=', value: '2' }] }]);
    const { codes, findings, questionnaire } = load(bundle(two, asks('urn:set:birds|1.0'), animals, birds));
    expect(codes).toEqual(['bird']);
    expect(findings).toEqual([]);
    // What is stored needs no bundle any more.
    expect(load(questionnaire).codes).toEqual(['bird']);
  });

  test('is found by the address and by the id of an entry', () => {
    const pets = set('pets', [{ system: 'urn:x', concept: [{ code: 'cat', display: 'Cat' }] }]);
    expect(load(bundle(asks('ValueSet/pets'), pets)).codes).toEqual(['cat']);
    const entry = [
      { resource: asks('https://example.org/pets') },
      { fullUrl: 'https://example.org/pets', resource: pets },
    ];
    expect(load({ resourceType: 'Bundle', entry }).codes).toEqual(['cat']);
  });

  test('offers the units of a value set in it', () => {
    const units = set('units', [{ system: 'urn:units', concept: [{ code: 'kg', display: 'kg' }] }]);
    const question = {
      type: 'quantity',
      answerValueSet: undefined,
      extension: [
        { url: 'http://hl7.org/fhir/StructureDefinition/questionnaire-unitValueSet', valueCanonical: 'urn:set:units' },
      ],
    };
    const { item } = load(bundle(units, asks('', [], question)));
    expect(item?.units.map(({ code }) => code)).toEqual(['kg']);
  });
});

describe('a value set that cannot be expanded is a warning that says why, and patients type their answer:', () => {
  const all = Array.from({ length: 5001 }, (_, i) => ({ code: `c${i}` }));
  test.each([
    ['no code system', [set('s', [{ system: 'urn:none' }])], 'code_system_missing', 'urn:none'],
    [
      'only the name of a code system',
      [{ ...animals, content: 'not-present' }, set('s', [{ system: 'urn:animals' }])],
      'code_system_missing',
      'urn:animals',
    ],
    ['no imported set', [set('s', [{ valueSet: ['urn:set:none'] }])], 'value_set_import_missing', 'urn:set:none'],
    [
      'an unknown filter',
      [animals, set('s', [{ system: 'urn:animals', filter: [{ property: 'legs', op: 'is-a', value: '2' }] }])],
      'value_set_filter',
      'legs is-a 2',
    ],
    [
      'sets that import each other',
      [set('s', [{ valueSet: ['#t'] }]), set('t', [{ valueSet: ['#s'] }])],
      'value_set_circle',
      'urn:set:s',
    ],
    ['nothing in it', [{ resourceType: 'ValueSet', id: 's' }], 'value_set_empty', undefined],
    [
      'too many answers',
      [{ resourceType: 'CodeSystem', url: 'urn:all', concept: all }, set('s', [{ system: 'urn:all' }])],
      'value_set_too_large',
      '5001',
    ],
    [
      'a part that is missing',
      [set('s', [{ system: 'urn:x', concept: [{ code: 'x', display: 'X' }] }, { system: 'urn:none' }])],
      'code_system_missing',
      'urn:none',
    ],
  ])('%s', (_what, contained, code, cause) => {
    const { codes, findings, isUsable, item } = load(asks('#s', contained));
    expect(codes).toEqual([]);
    expect(findings).toMatchObject([{ code, severity: 'warning', detail: '#s', linkId: 'a', itemText: 'Which?' }]);
    expect(findings[0]?.cause).toBe(cause);
    expect({ isUsable, takesOther: item?.takesOther }).toEqual({ isUsable: true, takesOther: true });
  });

  test('an unused value set is not expanded', () => {
    const { findings } = load(
      bundle(asks('#s', [set('s', [{ concept: [{ code: 'a', display: 'A' }] }])]), set('t', [{ system: 'urn:none' }])),
    );
    expect(findings).toEqual([]);
  });
});

describe('value sets that are supplied beside the file', () => {
  const missingOf = (input: unknown) => {
    const { questionnaire } = checkQuestionnaire(input);
    return questionnaire && missingValueSets(questionnaire);
  };
  const codesWith = (input: unknown, ...supplied: SuppliedValueSet[]) => {
    const { questionnaire, findings } = checkQuestionnaire(input, supplied);
    const options = (questionnaire && formOf(questionnaire).byLinkId.get('a')?.options) ?? [];
    return {
      codes: options.map(({ value }) => (value as { code: string }).code),
      findings: findings.filter(({ code }) => code !== 'not_translated').map(({ code }) => code),
    };
  };

  test('all sets that are missing are named, those that others import too', () => {
    expect(missingOf(asks('http://x/set|1'))).toEqual(['http://x/set|1']);
    const imports = set('s', [{ valueSet: ['http://x/one', 'http://x/two'] }, { valueSet: ['http://x/three'] }]);
    expect(missingOf(asks('#s', [imports]))).toEqual(['http://x/one', 'http://x/two', 'http://x/three']);
    expect(missingOf(asks('#s', [set('s', [{ system: 'urn:elsewhere' }])]))).toEqual(['urn:set:s']);
    expect(missingOf(asks('#s', [animals, set('s', [{ system: 'urn:animals' }])]))).toEqual([]);
    expect(missingOf(asks('#nowhere'))).toEqual([]);
  });

  test('a supplied set is offered, and one in the file is preferred', () => {
    const supplied = { reference: 'urn:set:s', concepts: [{ system: 'urn:animals', code: 'cow', display: 'Cow' }] };
    expect(codesWith(asks('urn:set:s'), supplied)).toEqual({ codes: ['cow'], findings: [] });
    const own = set('s', [{ system: 'urn:animals', concept: [{ code: 'cat', display: 'Cat' }] }]);
    expect(codesWith(asks('urn:set:s', [own]), supplied).codes).toEqual(['cat']);
    expect(codesWith(asks('#s', [set('s', [{ system: 'urn:elsewhere' }])]), supplied).codes).toEqual(['cow']);
  });

  test('why a set was not supplied is a finding', () => {
    const supplied = { reference: 'urn:set:s', failure: 'value_set_not_reached' } as const;
    expect(codesWith(asks('urn:set:s'), supplied)).toEqual({ codes: [], findings: ['value_set_not_reached'] });
  });
});
