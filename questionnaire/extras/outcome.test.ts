import { expect, test } from 'vitest';
import { urls } from '#questionnaire/extensions.ts';
import type { Extension, Questionnaire } from '#questionnaire/questionnaire.ts';
import { outcomeAdvice } from './outcome.ts';

const spanish = (content: string) => ({
  extension: [
    {
      url: 'http://hl7.org/fhir/StructureDefinition/translation',
      extension: [
        { url: 'lang', valueCode: 'es' },
        { url: 'content', valueString: content },
      ],
    },
  ],
});

const reviewIf = (question: string, ...more: object[]) => ({
  url: urls.outcome,
  extension: [
    { url: 'outcome', valueCode: 'review' },
    {
      url: 'when',
      extension: [
        { url: 'question', valueString: question },
        { url: 'operator', valueCode: '=' },
        { url: 'answer', valueBoolean: true },
      ],
    },
    ...more,
  ] as Extension[],
});

test('advice comes from the rule that decided, in the language of the form', () => {
  const form: Questionnaire = {
    resourceType: 'Questionnaire',
    extension: [
      reviewIf('pregnant'),
      reviewIf('cough', { url: 'advice', valueString: 'Wait outside.', _valueString: spanish('Espere afuera.') }),
    ],
    item: ['pregnant', 'cough'].map((linkId) => ({ linkId, type: 'boolean', text: linkId })),
  };
  expect(outcomeAdvice(form, { cough: [true] }, {}, 'en')).toBe('Wait outside.');
  expect(outcomeAdvice(form, { cough: [true] }, {}, 'es')).toBe('Espere afuera.');
  expect(outcomeAdvice(form, { cough: [true], pregnant: [true] }, {}, 'en')).toBe('');
  expect(outcomeAdvice(form, {}, {}, 'en')).toBe('');
});
