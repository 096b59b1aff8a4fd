import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { fillIn } from './example.ts';

const read = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8');
const sdc = 'http://hl7.org/fhir/uv/sdc/StructureDefinition/sdc-questionnaire-';
const expression = (kind: string, text: string) => ({
  url: `${sdc}${kind}`,
  valueExpression: { language: 'text/fhirpath', expression: text },
});
const json = JSON.stringify({
  resourceType: 'Questionnaire',
  item: [
    { linkId: 'cigarettes', type: 'integer', text: 'Cigarettes a day', required: true },
    {
      linkId: 'packs',
      type: 'decimal',
      text: 'Packs',
      readOnly: true,
      extension: [expression('calculatedExpression', "%resource.item.where(linkId='cigarettes').answer.value / 20")],
    },
    {
      linkId: 'stop',
      type: 'boolean',
      text: 'Do you want to stop?',
      required: true,
      extension: [expression('enableWhenExpression', "%resource.item.where(linkId='packs').answer.value >= 1")],
    },
  ],
});

test('the example of the README is the one that is tested', () => {
  const example = read('./example.ts').replace("'./index.ts'", "'anteroom-questionnaire'");
  expect(read('./README.md')).toContain(`\`\`\`ts\n${example}\`\`\``);
});

test('the example fills in a form that calculates and decides by expressions', async () => {
  expect(await fillIn(json, { cigarettes: 5 }, '2026-03-02')).toMatchObject({
    response: { item: [{ answer: [{ valueInteger: 5 }] }, { answer: [{ valueDecimal: 0.25 }] }] },
  });
  expect(await fillIn(json, { cigarettes: 30 }, '2026-03-02')).toMatchObject({
    problems: [{ code: 'required', linkId: 'stop' }],
  });
  expect(await fillIn(json, { cigarettes: 30, stop: true }, '2026-03-02')).toMatchObject({
    response: { item: [{}, {}, {}] },
  });
});

test('the example says what is wrong with a file', async () => {
  expect(await fillIn('{}', {}, '2026-03-02')).toMatchObject({ findings: [{ code: 'not_a_questionnaire' }] });
});
