import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '#testing/app/test-app.ts';
import { formCommands } from './commands.ts';

let testApp: TestApp;
let folder: string;
beforeAll(async () => {
  testApp = await openTestApp({ env: { LOG_LEVEL: 'fatal' } });
  folder = await mkdtemp(join(tmpdir(), 'form-load-'));
});
afterAll(async () => {
  await testApp.close();
  await rm(folder, { recursive: true });
});

async function load(questionnaire: unknown): Promise<{ code: number | void; lines: string[] }> {
  const file = join(folder, 'form.json');
  await writeFile(file, JSON.stringify(questionnaire));
  const lines: string[] = [];
  const command = formCommands.find(({ name }) => name === 'form load');
  const desk = { services: testApp.services, say: (line: string) => lines.push(line) };
  const code = await command?.run(desk as never, { operands: [file], options: {} } as never);
  return { code, lines };
}

/** Seventy questions without a text: seventy warnings. */
const silent = Array.from({ length: 70 }, (_, i) => ({ linkId: `q${i}`, type: 'string' }));
const calculated = (linkId: string, expression: string) => ({
  linkId,
  type: 'decimal',
  text: linkId,
  extension: [
    {
      url: 'http://hl7.org/fhir/uv/sdc/StructureDefinition/sdc-questionnaire-calculatedExpression',
      valueExpression: { language: 'text/fhirpath', expression },
    },
  ],
});
const form = (...item: unknown[]) => ({ resourceType: 'Questionnaire', id: 'loaded', title: 'Loaded', item });

test('form load prints a refused form’s error first, with item and expression, then a few warnings and their count', async () => {
  const { code, lines } = await load(form(...silent, calculated('bmi', 'weight / ((height')));
  expect(code).toBe(1);
  expect(lines[0]).toBe('1 error:');
  expect(lines[1]).toBe(
    '  error: item "bmi" (item[70]): The FHIRPath expression weight / ((height is not understood, or its result never stops changing. Correct it.',
  );
  expect(lines[2]).toBe('71 warnings, the first 10:');
  expect(lines).toHaveLength(14);
  expect(lines.at(-1)).toBe('Nothing was loaded.');
});

test('form load prints all errors before the warnings', async () => {
  const { lines } = await load(form(...silent, { linkId: 'q1', type: 'string', text: 'Again' }));
  expect(lines[1]).toBe('  error: item "q1" (item[70].linkId): The linkId "q1" is used twice. Give each item its own.');
  expect(lines.findIndex((line) => line.startsWith('  warning'))).toBeGreaterThan(1);
});

test('form load loads a form that has only warnings', async () => {
  const { code, lines } = await load(form(calculated('sum', '1 + 1'), { linkId: 'q', type: 'string' }));
  expect(code).toBe(0);
  expect(lines[0]).toBe('2 warnings:');
  expect(lines.at(-1)).toBe('"Loaded" is now loaded, version 1, for every office.');
});
