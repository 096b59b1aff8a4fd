import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { UsageError, runStandalone } from '#server/kit/command.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { projectRoot } from '#server/kit/project-root.ts';
import { formCheckCommand } from './check-command.ts';
import { checkFiles } from './check-files.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'form-check-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

const calculated = (linkId: string, expression: string) => ({
  linkId,
  type: 'decimal',
  text: `The ${linkId}`,
  extension: [
    {
      url: 'http://hl7.org/fhir/uv/sdc/StructureDefinition/sdc-questionnaire-calculatedExpression',
      valueExpression: { language: 'text/fhirpath', expression },
    },
  ],
});
const question = { linkId: 'q', type: 'string', text: 'Why are you here?' };
const form = (id: string, ...item: unknown[]) => ({ resourceType: 'Questionnaire', id, title: `Form ${id}`, item });

async function file(name: string, content: unknown): Promise<string> {
  const path = join(folder, name);
  await mkdir(join(path, '..'), { recursive: true });
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

async function check(...typed: string[]): Promise<{ code: number; lines: string[] }> {
  const lines: string[] = [];
  const code = await runStandalone(formCheckCommand, ['form', 'check', ...typed], (line) => void lines.push(line));
  return { code, lines };
}

test('form check says what a usable form asks and what is left to the patient', async () => {
  const path = await file(
    'bmi.json',
    form('bmi', question, calculated('bmi', 'weight * 2'), calculated('again', '%x')),
  );
  const { code, lines } = await check(path);
  expect(code).toBe(0);
  expect(lines).toEqual([
    `${path}: can be used. "Form bmi" asks 3 questions, 2 of them calculated.`,
    '  warning: 4 texts have no Spanish (translation extension). Spanish-speaking patients read them in English.',
    expect.stringContaining('  warning: item "again" (item[2].extension): An expression uses %x, which'),
  ]);
});

test('form check prints fifty alike warnings as one, with the first places', async () => {
  const path = await file(
    'silent.json',
    form('silent', ...Array.from({ length: 50 }, (_, i) => ({ linkId: `q${i}`, type: 'string' }))),
  );
  const { lines } = await check(path);
  expect(lines.slice(2, 4)).toEqual([
    expect.stringContaining('  warning: item "q0" (item[0].text): This question has no words.'),
    '    and 49 more like it: "q1", "q2", "q3", "q4", "q5", …',
  ]);
});

test('form check ends with 1 and prints the errors first when a form cannot be used', async () => {
  const path = await file(
    'broken.json',
    form('broken', { linkId: 'a', type: 'string' }, calculated('bmi', 'weight / ((height')),
  );
  const { code, lines } = await check(path);
  expect(code).toBe(1);
  expect(lines[0]).toBe(`${path}: cannot be used.`);
  expect(lines[1]).toMatch(/^ {2}error: item "bmi" \(item\[1\]\): The FHIRPath expression weight/);
});

test('form check reads folders and bundles, leaves out other files, and counts', async () => {
  await file('many/notes.json', { name: 'no questionnaire' });
  await file('many/response.json', { resourceType: 'QuestionnaireResponse', contained: [form('inner', question)] });
  await file('many/node_modules/one.json', form('hidden', question));
  await file('many/deep/one.json', form('one', question));
  await file('many/cut.json', '{ "resourceType": "Questionnaire", "item": [');
  await file('many/two.json', {
    resourceType: 'Bundle',
    type: 'collection',
    entry: [{ resource: form('a', question) }, { resource: form('b') }, { resource: { resourceType: 'ValueSet' } }],
  });
  const { code, lines } = await check(join(folder, 'many'));
  expect(code).toBe(1);
  const heads = lines.filter((line) => /: can(?:not)? be used/.test(line)).map((line) => line.slice(folder.length + 6));
  expect(heads).toEqual([
    'cut.json: cannot be used.',
    'deep/one.json: can be used. "Form one" asks 1 question.',
    'two.json#a: can be used. "Form a" asks 1 question.',
    'two.json#b: cannot be used.',
  ]);
  expect(lines.slice(-3)).toEqual([
    '2 of 4 questionnaires can be used (50 %).',
    expect.stringMatching(/^ {2}1 cannot: not_json, such as: This file is not JSON/),
    '  1 cannot: no_items, such as: The questionnaire asks nothing. Add at least one item.',
  ]);
});

test('form check refuses a path without a questionnaire, a missing file and no path', async () => {
  await file('empty/notes.json', {});
  await expect(check(join(folder, 'empty'))).rejects.toThrow(UsageError);
  await expect(check(join(folder, 'nowhere.json'))).rejects.toThrow(/could not be read/);
  await expect(check()).rejects.toThrow(/Which files/);
});

test('script/anteroom form check --json prints one line for each questionnaire, without a database', async () => {
  const good = await file('json/good.json', form('good', question));
  const bad = await file(
    'json/sum.json',
    form('sum', question, calculated('total', '%patient.name.count()'), { ...question }),
  );
  const ran = promisify(execFile)(
    process.execPath,
    ['server/cli.ts', 'form', 'check', '--json', join(folder, 'json')],
    {
      cwd: projectRoot,
      env: {
        PATH: process.env['PATH'],
        DATA_DIR: join(folder, 'nothing'),
        DATABASE_URL: 'postgres://localhost:1/none',
      },
    },
  );
  const { code, stdout } = (await ran.catch((error: unknown) => error)) as { code?: number; stdout: string };
  expect(code).toBe(1);
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(lines).toHaveLength(2);
  expect(lines[0]).toMatchObject({ file: good, usable: true, errors: [] });
  expect(lines[1]).toMatchObject({
    file: bad,
    usable: false,
    errors: [{ code: 'link_id_twice', linkId: 'q', words: 'Why are you here?' }],
  });
  expect(lines[1]?.['warnings']).toContainEqual(
    expect.objectContaining({
      code: 'name_not_defined',
      linkId: 'total',
      words: 'The total',
      expression: '%patient.name.count()',
      name: '%patient',
    }),
  );
}, 90_000);

test('a check after its processes have ended says so, and not that we are busy', async () => {
  const path = await file('late.json', form('late', question));
  const checking = checkFiles([path], () => Promise.reject(new Refusal('overloaded', undefined, 5)));
  await expect(checking.next()).rejects.toThrow(`${path} was not checked, because the processes that check`);
});

test('form check looks at the expressions of a form that has other errors too', async () => {
  const path = await file(
    'both.json',
    form(
      'both',
      { ...question, enableWhen: [{ question: 'nowhere', operator: 'exists', answerBoolean: true }] },
      calculated('wrong', '1 +* 2'),
      calculated('missing', 'noSuchFunction()'),
    ),
  );
  const { code, lines } = await check('--json', path);
  expect(code).toBe(1);
  const { errors, warnings } = JSON.parse(lines[0] ?? '') as Record<
    'errors' | 'warnings',
    { code: string; linkId?: string }[]
  >;
  expect(errors.map((error) => [error.code, error.linkId])).toEqual([
    ['condition_question_missing', 'q'],
    ['expression_not_understood', 'wrong'],
  ]);
  expect(warnings.map((warning) => [warning.code, warning.linkId])).toContainEqual(['expression_fails', 'missing']);
});

test('form check warns of calculations that only take long once the form is filled in', async () => {
  const answer = "%resource.item.where(linkId='n').answer.value";
  const dear = `iif(${answer}.all($this >= 0 and ${answer}.all($this >= 0 and ${answer}.count() > 0)), 1, 0)`;
  const path = await file(
    'dear.json',
    form(
      'dear',
      { linkId: 'n', type: 'integer', text: 'Numbers', repeats: true },
      ...Array.from({ length: 300 }, (_, i) => calculated(`c${i}`, dear)),
    ),
  );
  const { lines } = await check('--json', path);
  const { usable, errors, warnings } = JSON.parse(lines[0] ?? '') as {
    usable: boolean;
    errors: unknown[];
    warnings: { code: string }[];
  };
  const found = [...errors, ...warnings] as { code: string; expression?: string }[];
  // On a slow machine the sample itself ends the check, and the form is refused.
  expect(found).toContainEqual(expect.objectContaining({ code: usable ? 'costly_when_filled' : 'takes_too_long' }));
});
