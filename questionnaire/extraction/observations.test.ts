import { expect, test } from 'vitest';
import type { Coding, Item, Questionnaire, ResponseAnswer } from '#questionnaire/questionnaire.ts';
import { extractResources } from './extract.ts';
import { extractionUrls } from './extraction-urls.ts';

const loinc = 'http://loinc.org';
const usCore = 'http://hl7.org/fhir/us/core/StructureDefinition/us-core-';

/** The Observation that one coded question becomes. */
async function observationOf(code: Coding, answer: ResponseAnswer, item: Partial<Item> = {}) {
  const questionnaire: Questionnaire = {
    resourceType: 'Questionnaire',
    extension: [{ url: extractionUrls.observation, valueBoolean: true }],
    item: [{ linkId: 'a', type: 'quantity', text: 'a', code: [code], ...item }],
  };
  const response = {
    resourceType: 'QuestionnaireResponse' as const,
    status: 'completed' as const,
    subject: { reference: 'Patient/1' },
    authored: '2026-03-02T15:00:00Z',
    item: [{ linkId: 'a', answer: [answer] }],
  };
  const clock = { today: '2026-03-02' };
  const { entries } = await extractResources(
    { questionnaire, response, responseUrl: 'urn:uuid:r', clock },
    (name) => name,
  );
  const { resource = {} } = (entries[0] ?? {}) as { resource?: Record<string, unknown> };
  const [category] = resource['category'] as { coding: Coding[] }[];
  return {
    category: category?.coding[0]?.code,
    profile: (resource['meta'] as { profile: string[] } | undefined)?.profile[0],
  };
}

const kilograms = { valueQuantity: { value: 70, unit: 'kg', system: 'http://unitsofmeasure.org', code: 'kg' } };

test('a body weight is a vital sign of US Core, not an answer of a survey', async () => {
  expect(await observationOf({ system: loinc, code: '29463-7' }, kilograms)).toEqual({
    category: 'vital-signs',
    profile: `${usCore}body-weight`,
  });
});

test('a body weight as text or in another unit is a vital sign without the profile that it would break', async () => {
  const stones = { valueQuantity: { value: 11, unit: 'stones' } };
  for (const answer of [stones, { valueString: 'about 70' }])
    expect(await observationOf({ system: loinc, code: '29463-7' }, answer)).toEqual({ category: 'vital-signs' });
});

test('any other answer is one of a survey, and the author’s own category counts', async () => {
  expect(await observationOf({ system: loinc, code: '44250-9' }, { valueInteger: 2 })).toEqual({
    category: 'survey',
    profile: `${usCore}observation-screening-assessment`,
  });
  const own = { url: extractionUrls.observationCategory, valueCodeableConcept: { coding: [{ code: 'exam' }] } };
  expect(await observationOf({ system: loinc, code: '29463-7' }, kilograms, { extension: [own] })).toEqual({
    category: 'exam',
  });
});
