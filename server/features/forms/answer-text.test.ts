import { expect, test } from 'vitest';
import { formOf } from '#questionnaire/form.ts';
import type { Item, Questionnaire } from '#questionnaire/questionnaire.ts';
import type { Value } from '#questionnaire/values.ts';
import { answerText } from './answer-text.ts';

const unit = 'http://hl7.org/fhir/StructureDefinition/questionnaire-unitOption';
const spanish = {
  extension: [
    {
      url: 'http://hl7.org/fhir/StructureDefinition/translation',
      extension: [
        { url: 'lang', valueCode: 'es' },
        { url: 'content', valueString: 'libras' },
      ],
    },
  ],
};
const pounds = {
  url: unit,
  valueCoding: { system: 'urn:units', code: '[lb_av]', display: 'pounds', _display: spanish },
};

const said = (type: Item['type'], value: Value, given: object = {}) => {
  const item: Item = { linkId: 'q', type, text: 'Which?', ...given };
  const questionnaire: Questionnaire = { resourceType: 'Questionnaire', status: 'active', item: [item] };
  const [read] = formOf(questionnaire).all;
  if (!read) throw new Error('no item');
  return [answerText(read, value, 'en'), answerText(read, value, 'es')].map((text) => text.replace(/\s/g, ' '));
};

test.each<[Item['type'], string, string, string]>([
  ['date', '2026-03-02', 'March 2, 2026', '2 de marzo de 2026'],
  ['date', '2026-03', 'March 2026', 'marzo de 2026'],
  ['date', '2026', '2026', '2026'],
  ['dateTime', '2026-03-02T14:05:00-08:00', 'March 2, 2026 at 2:05 PM', '2 de marzo de 2026 a las 2:05 p.m.'],
  ['dateTime', '2026-03-02T00:30:15.5Z', 'March 2, 2026 at 12:30 AM', '2 de marzo de 2026 a las 12:30 a.m.'],
  ['dateTime', '2026-03-02', 'March 2, 2026', '2 de marzo de 2026'],
  ['time', '14:05:00', '2:05 PM', '2:05 p.m.'],
  ['time', '24:99', '24:99', '24:99'],
  ['date', 'soon', 'soon', 'soon'],
  ['string', '2026-03-02', '2026-03-02', '2026-03-02'],
])('answerText prints %s %s as people write it', (type, value, en, es) => expect(said(type, value)).toEqual([en, es]));

test('answerText prints a unit in the language of the PDF', () => {
  const given = { extension: [pounds] };
  expect(said('quantity', { value: 12.5, unit: 'pounds', code: '[lb_av]', system: 'urn:units' }, given)).toEqual([
    '12.5 pounds',
    '12.5 libras',
  ]);
  expect(said('quantity', { value: 3, unit: 'cups' })).toEqual(['3 cups', '3 cups']);
});
