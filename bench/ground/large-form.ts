import { urls } from '#questionnaire/extensions.ts';
import type { Item, Questionnaire } from '#questionnaire/questionnaire.ts';

const groups = 20;
const inputs = 5;
const scores = 34;

/**
 * 820 items, 700 of them calculated, as published assessments have them: each part has five answers, their sum, scores of it, and a total
 * that adds the total of the part before, so the first answer changes 54 results.
 */
export const largeForm = (): Questionnaire => ({
  resourceType: 'Questionnaire',
  id: 'large',
  status: 'active',
  title: 'Large',
  item: Array.from({ length: groups }, (_, nth) => groupOf(nth)),
});

function groupOf(nth: number): Item {
  const at = (linkId: string, group = nth) =>
    `%resource.item.where(linkId='g${group}').item.where(linkId='g${group}-${linkId}').answer.value`;
  const asked = Array.from({ length: inputs }, (_, i): Item => ({
    linkId: `g${nth}-q${i}`,
    type: 'integer',
    text: `Answer ${i + 1}`,
  }));
  const sum = Array.from({ length: inputs }, (_, i) => `iif(${at(`q${i}`)}.exists(), ${at(`q${i}`)}, 0)`).join(' + ');
  const scored = Array.from({ length: scores - 1 }, (_, i) =>
    calculated(`g${nth}-s${i}`, `Score ${i + 1}`, `iif(${at('sum')} > ${i * 3}, ${at('sum')} * ${i + 1}, ${i})`),
  );
  const before = nth > 0 ? ` + ${at('total', nth - 1)}` : '';
  return {
    linkId: `g${nth}`,
    type: 'group',
    text: `Part ${nth + 1}`,
    item: [
      ...asked,
      calculated(`g${nth}-sum`, 'Sum', sum),
      ...scored,
      calculated(`g${nth}-total`, 'Total so far', `${at('sum')}${before}`),
    ],
  };
}

const calculated = (linkId: string, text: string, expression: string): Item => ({
  linkId,
  type: 'integer',
  text,
  readOnly: true,
  extension: [{ url: urls.calculated, valueExpression: { language: 'text/fhirpath', expression } }],
});
