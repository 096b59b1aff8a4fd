/** Questionnaires that once kept the whole installation from answering, and two that the engine's own limits let pass. */
import { urls } from '#contract/forms/extensions.ts';
import type { Extension, Item, Questionnaire } from '#contract/forms/questionnaire.ts';

const calculation = (expression: string): Extension => ({
  url: urls.calculated,
  valueExpression: { language: 'text/fhirpath', expression },
});

const questionnaire = (id: string, item: Item[], rest: Partial<Questionnaire> = {}): Questionnaire => ({
  resourceType: 'Questionnaire',
  id,
  status: 'active',
  title: 'Visit questionnaire',
  ...rest,
  item,
});

const calculates = (id: string, expression: string) =>
  questionnaire(id, [{ linkId: 'q', type: 'integer', text: 'How many?', extension: [calculation(expression)] }]);

const doubled = (i: number): Extension => ({
  url: urls.variable,
  valueExpression: {
    name: `v${i}`,
    language: 'text/fhirpath',
    expression: i === 0 ? '(0|1|2|3|4|5|6|7|8|9)' : `%v${i - 1}.combine(%v${i - 1})`,
  },
});

/** Loops inside loops that each stay below the engine's own limits. */
const fourLoops = () => {
  const thirty = `(${Array.from({ length: 30 }, (_, i) => i).join('|')})`;
  return `${thirty}.select(${thirty}.select(${thirty}.select(${thirty}.where($this > 0)))).count()`;
};

/** A text of 3,900 characters that is doubled 17 times: nothing to V8 until something needs it in one piece. */
const longText = (id: string, expression: string) => {
  const texts = Array.from({ length: 18 }, (_, i): Extension => {
    const doubling = i === 0 ? `'${'x'.repeat(3_900)}'` : `%s${i - 1} & %s${i - 1}`;
    return { url: urls.variable, valueExpression: { name: `s${i}`, language: 'text/fhirpath', expression: doubling } };
  });
  return { ...calculates(id, expression), extension: texts };
};

/** 320 characters that ask for ten to the power of many. */
const nested = (depth: number) => {
  const ten = '(1|2|3|4|5|6|7|8|9|10)';
  let expression = ten;
  for (let i = 0; i < depth; i++) expression = `${ten}.select(${expression}.where($this > 0))`;
  return `${expression}.count()`;
};

const groupsIn = (levels: number): Item => ({
  linkId: `g${levels}`,
  type: 'group',
  text: 'Group',
  repeats: true,
  extension: [{ url: urls.minOccurs, valueInteger: 200 }],
  item:
    levels > 1
      ? [groupsIn(levels - 1)]
      : [{ linkId: 'q', type: 'integer', text: 'How many?', extension: [calculation('1 + 1')] }],
});

const bigSet = (id: string, withWords: boolean) => {
  const concept = Array.from({ length: 4_900 }, (_, i) => ({
    code: `c${i}`,
    ...(withWords && { display: `Answer number ${i}`, designation: [{ language: 'es', value: `Respuesta ${i}` }] }),
  }));
  const items = Array.from({ length: 2_900 }, (_, i): Item => ({
    linkId: `q${i}`,
    type: 'choice',
    text: 'Which?',
    answerValueSet: '#s',
  }));
  return questionnaire(id, items, {
    contained: [{ resourceType: 'ValueSet', id: 's', compose: { include: [{ system: 'urn:x', concept }] } }],
  } as Partial<Questionnaire>);
};

export const hostileQuestionnaires: Readonly<Record<string, () => Questionnaire>> = {
  'nested FHIRPath': () => calculates('hostile-fhirpath', nested(8)),
  'FHIRPath of four loops': () => calculates('hostile-loops', fourLoops()),
  'a list doubled 26 times': () =>
    questionnaire(
      'hostile-doubling',
      [{ linkId: 'q', type: 'integer', text: 'How many?', extension: [calculation('%v26.count()')] }],
      { extension: Array.from({ length: 27 }, (_, i) => doubled(i)) },
    ),
  'a pattern of nested counts': () =>
    questionnaire('hostile-pattern', [
      {
        linkId: 'q',
        type: 'string',
        text: 'Which?',
        extension: [{ url: urls.regex, valueString: '((((){9999}){9999}){9999}){9999}' }],
      },
    ]),
  'four nested groups, 200 each': () => questionnaire('hostile-groups', [groupsIn(4)]),
  'a value set of 4,900 in 2,900 items': () => bigSet('hostile-set', false),
  'the same with words in two languages': () => bigSet('hostile-words', true),
  'a calculation without end': () => calculates('hostile-repeat', '(0).repeat($this + 1).count()'),
  'a long text in capitals': () => longText('hostile-capitals', '%s17.upper().length()'),
  'a long text split': () => longText('hostile-split', "%s17.split('').count()"),
  'a long text in characters': () => longText('hostile-characters', '%s17.toChars().count()'),
  'a long text escaped': () => longText('hostile-escaped', "%s17.escape('html').length()"),
};
