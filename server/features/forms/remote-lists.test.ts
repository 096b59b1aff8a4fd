import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { formsSettings } from '#contract/index.ts';
import type { Questionnaire } from '#questionnaire/questionnaire.ts';
import { readTerminology } from '#server/providers/terminology/settings.ts';
import { restTerminology } from '#server/providers/terminology/rest.ts';
import { openTestApp, type TestApp, type TestOffice } from '#testing/app/test-app.ts';
import { expansion, startTerminologyServer, type TerminologyServer } from '#testing/stand-ins/terminology-server.ts';

let server: TerminologyServer;
let testApp: TestApp;
let office: TestOffice;
let set = '';
let sets = 0;
beforeAll(async () => {
  server = await startTerminologyServer();
  testApp = await openTestApp({ env: { TX_SERVER_URL: `${server.url}/` } });
});
afterAll(async () => {
  await testApp.close();
  server.close();
});
beforeEach(async () => {
  testApp.at('2026-03-02T15:00:00.000Z');
  office = await testApp.office();
  server.asked.length = 0;
  // A value set of each test's own: answers are remembered.
  set = `http://example.org/ValueSet/colors-${++sets}`;
});

const choice = (answerValueSet: string, linkId = 'a') => ({ linkId, text: 'Which?', type: 'choice', answerValueSet });
const form = (...item: object[]) => ({
  resourceType: 'Questionnaire',
  id: 'colors',
  title: 'Colors',
  status: 'active',
  item,
});
const load = async (questionnaire: object, as = office, check = false) => {
  const post = () =>
    testApp.call(formsSettings.loadForm, { body: { text: JSON.stringify(questionnaire), check } }, { as });
  let { status, body: loaded } = await post();
  // A busy machine may not start a worker in time; the desk is asked to try again then.
  for (let tries = 1; status === 503 && tries < 3; tries += 1) ({ status, body: loaded } = await post());
  return {
    ...loaded,
    about: loaded.findings.filter(({ code }) => code.startsWith('value_set')).map(({ code, detail }) => [code, detail]),
  };
};
const unconfirm = (stranger: TestOffice) =>
  testApp.inOffice(stranger, (tx) =>
    tx.updateTable('office').set({ confirmedAt: null, confirmedBy: null }).where('id', '=', stranger.id).execute(),
  );
const containedOf = async (definitionId = '') => {
  const { body } = await testApp.call(formsSettings.readForm, { params: { definitionId } }, { as: office });
  return (body.questionnaire as Questionnaire).contained ?? [];
};

test('a value set that the file only names gets its answers from the terminology server, and is asked for once', async () => {
  server.has(set, ['red', 'blue']);
  const { form: loaded, about } = await load(form(choice(`${set}|2.0`), choice(`${set}|2.0`, 'b')));
  expect(about).toEqual([]);
  expect(await containedOf(loaded?.id)).toEqual([
    {
      resourceType: 'ValueSet',
      url: set,
      expansion: {
        contains: [
          { system: 'urn:colors', code: 'red', display: 'RED', designation: [{ language: 'es', value: 'red (es)' }] },
          {
            system: 'urn:colors',
            code: 'blue',
            display: 'BLUE',
            designation: [{ language: 'es', value: 'blue (es)' }],
          },
        ],
      },
    },
  ]);
  expect(server.asked).toHaveLength(1);
  expect(Object.fromEntries(server.asked[0] ?? [])).toMatchObject({ url: set, valueSetVersion: '2.0' });

  await load({ ...form(choice(`${set}|2.0`)), id: 'second' }, await testApp.office());
  expect(server.asked).toHaveLength(1);
  testApp.later(25 * 60);
  await load({ ...form(choice(`${set}|2.0`)), id: 'third' }, await testApp.office());
  expect(server.asked).toHaveLength(2);
});

test('a value set in the file whose code system is missing, and one that it imports, are asked for as well', async () => {
  server.has(set, ['red']);
  server.has(`${set}-other`, ['blue']);
  const contained = [
    { resourceType: 'ValueSet', id: 'own', url: set, compose: { include: [{ system: 'http://snomed.info/sct' }] } },
    { resourceType: 'ValueSet', id: 'imports', compose: { include: [{ valueSet: [`${set}-other`] }] } },
  ];
  const { form: loaded, about } = await load({ ...form(choice('#own'), choice('#imports', 'b')), contained });
  expect(about).toEqual([]);
  expect(await containedOf(loaded?.id)).toMatchObject([
    { id: 'own', expansion: { contains: [{ code: 'red' }] } },
    { id: 'imports', expansion: { contains: [{ code: 'blue' }] } },
  ]);
});

test('a form without such value sets asks nobody', async () => {
  await load({
    ...form(choice('#s')),
    contained: [
      { resourceType: 'ValueSet', id: 's', compose: { include: [{ concept: [{ code: 'x', display: 'X' }] }] } },
    ],
  });
  await load(form({ linkId: 'a', type: 'string', text: 'Why?' }));
  expect(server.asked).toEqual([]);
});

test('no address but a canonical one leaves the installation', async () => {
  const { about } = await load(form(choice('ValueSet/1'), choice('file:///etc/passwd', 'b')));
  expect(about.map(([code]) => code)).toEqual(['value_set_elsewhere', 'value_set_elsewhere']);
  expect(server.asked).toEqual([]);
});

test.each<[string, (set: string) => void, string]>([
  ['does not know it', () => undefined, 'value_set_not_listed'],
  ['fails', (url) => server.has(url, (res) => void res.writeHead(503).end()), 'value_set_not_reached'],
  ['breaks off', (url) => server.has(url, (res) => void res.destroy()), 'value_set_not_reached'],
  [
    'redirects',
    (url) => server.has(url, (res) => void res.writeHead(302, { location: server.url }).end()),
    'value_set_not_reached',
  ],
  ['sends no FHIR', (url) => server.has(url, (res) => void res.end('<html>')), 'value_set_not_listed'],
  [
    'sends an endless answer',
    (url) =>
      server.has(url, (res) => {
        const more = () => {
          while (!res.destroyed && res.write(' '.repeat(100_000)));
          if (!res.destroyed) res.once('drain', more);
        };
        more();
      }),
    'value_set_not_listed',
  ],
  [
    'has a part of it only',
    (url) => server.has(url, (res) => void res.end(JSON.stringify(expansion(['red'], { total: 9 })))),
    'value_set_not_listed',
  ],
  [
    'has too many answers',
    (url) =>
      server.has(
        url,
        Array.from({ length: 5001 }, (_, i) => `c${i}`),
      ),
    'value_set_not_listed',
  ],
  ['has none', (url) => server.has(url, []), 'value_set_not_listed'],
])('the form loads and a finding says that patients type the answer if the server %s', async (_, prepare, code) => {
  prepare(set);
  const { form: loaded, about } = await load(form(choice(set)));
  expect(about).toEqual([[code, set]]);
  expect(await containedOf(loaded?.id)).toEqual([]);
});

test('a server that does not answer is given up after its deadline', async () => {
  server.has(set, () => undefined);
  await expect(restTerminology({ url: server.url, token: undefined }, 50)(set)).rejects.toMatchObject({
    reason: 'not reached',
  });
});

test('a server that failed is asked again a minute later', async () => {
  server.has(set, (res) => void res.writeHead(503).end());
  await load(form(choice(set)));
  server.has(set, ['red']);
  expect((await load(form(choice(set)))).about).toEqual([['value_set_not_reached', set]]);
  testApp.later(2);
  expect((await load(form(choice(set)))).about).toEqual([]);
});

test('a practice has sixty calls an hour, and what is remembered takes none of them', async () => {
  const many = (from: number) => form(...Array.from({ length: 30 }, (_, i) => choice(`${set}-${from + i}`, `q${i}`)));
  for (let i = 0; i < 90; i++) server.has(`${set}-${i}`, ['red']);
  expect((await load(many(0), office, true)).about).toEqual([]);
  expect((await load(many(0), office, true)).about).toEqual([]);
  expect((await load(many(30), office, true)).about).toEqual([]);
  const { about, becomes } = await load(many(60), office, true);
  expect(about).toHaveLength(30);
  expect(about[0]).toEqual(['value_set_not_asked', `${set}-60`]);
  expect(becomes).not.toBeNull();
  expect(server.asked).toHaveLength(60);
  const other = await testApp.office();
  expect((await load(many(60), other, true)).about).toEqual([]);
});

test('practices that are not confirmed share sixty calls an hour', async () => {
  const strangers = [await testApp.office(), await testApp.office(), await testApp.office()];
  for (const stranger of strangers) await unconfirm(stranger);
  const names = Array.from({ length: 90 }, (_, i) => `${set}-${i}`);
  for (const name of names) server.has(name, ['red']);
  const parts = [names.slice(0, 30), names.slice(30, 60), names.slice(60)];
  const findings = [];
  for (const [i, stranger] of strangers.entries()) {
    const questions = (parts[i] ?? []).map((name, q) => choice(name, `q${q}`));
    findings.push((await load(form(...questions), stranger, true)).about.length);
  }
  expect(findings).toEqual([0, 0, 30]);
});

test('the settings refuse an address that is not safe', () => {
  const read = (url: string) => readTerminology({ TX_SERVER_URL: url });
  expect(read('https://tx.example/r4/')).toEqual({ url: 'https://tx.example/r4', token: undefined });
  expect(readTerminology({})).toBeUndefined();
  for (const url of ['http://tx.example/r4', 'https://a:b@tx.example', 'https://tx.example/?x=1', 'tx', 'file:///x'])
    expect(() => read(url)).toThrow('TX_SERVER_URL must be an https address');
  expect(() => readTerminology({ TX_SERVER_TOKEN: 'x' })).toThrow('TX_SERVER_TOKEN needs TX_SERVER_URL');
});
