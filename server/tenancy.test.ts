import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Endpoint } from '#contract/endpoint.ts';
import { allEndpoints } from '#contract/openapi.ts';
import { panelPaths } from '#contract/panel-paths.ts';
import { examples, type Example } from '#testing/fixtures/endpoint-examples.ts';
import { openTestApp, type TestOffice } from '#testing/app/test-app.ts';
import { fillOffice, foreignIds, type OfficeIds } from '#testing/app/two-offices.ts';

type AnyEndpoint = Endpoint<unknown, unknown, unknown, unknown>;
interface Answer {
  status: number;
  text: string;
}

const testApp = await openTestApp();
afterAll(() => testApp.close());

let maple: TestOffice & { ids: OfficeIds };
let harbor: TestOffice & { ids: OfficeIds };
/** Every word, number and id that only harbor has, and those of them that its check-in page shows publicly. */
let canaries: string[];
let publicFace: Set<string>;
beforeAll(async () => {
  maple = await fillOffice(testApp, 'MAPLE', '2100090123');
  testApp.later(1);
  harbor = await fillOffice(testApp, 'CANARY', '2100090187');
  canaries = await stringsOf(harbor, maple);
  publicFace = new Set(canaries.filter((word) => /office-name|street|city|greeting|^2100090187$/.test(word)));
});

const mounted = testApp.app.endpoints.map((endpoint) => {
  const found = allEndpoints().find(({ endpoint: e }) => e === endpoint);
  if (!found) throw new Error(`${endpoint.method} ${endpoint.path} is mounted but not in the contract`);
  return { name: found.operationId, endpoint };
});

describe('every route the server has', () => {
  test('every route of the server is an endpoint of the contract with examples, or a listed exception', () => {
    const calls = new Set(mounted.map(({ endpoint: e }) => `${e.method} /api${e.path}`));
    const others = testApp.routes
      .filter(({ method, url }) => method !== 'HEAD' && !calls.has(`${method} ${url}`))
      .map(({ method, url }) => `${method} ${url}`);
    expect(others.filter((route) => !notCalls.some((known) => known.test(route)))).toEqual([]);
    expect(mounted.filter(({ name }) => !examples[name]).map(({ name }) => name)).toEqual([]);
    expect(mounted.length).toBeGreaterThan(30);
  });

  test('a route outside the contract shows no patient data', async () => {
    for (const { method, url } of testApp.routes.filter((r) => r.method === 'GET' && !r.url.startsWith('/api/'))) {
      if (url.startsWith('/dev/')) continue; // demo only: the outbox shows what every office would have sent
      const answer = await testApp.app.inject({ method: method as 'GET', url: url.replace('*', harbor.ids.visitId) });
      expect(leaks({ status: answer.statusCode, text: answer.body }), url).toEqual([]);
    }
  });
});

const notCalls = [
  /^GET \/(healthz|readyz|metrics)$/,
  /^GET \/api\/(openapi\.json|docs(\/start\.js|\/colors\.css|\/\*)?)$/,
  /^(GET|POST) \/dev\/(outbox|google|charges|card|practice-software)/,
  /^GET \/(c\/|visit\/|episode\/|assets\/)?\*?$/,
  /^GET \/(forms\/shared|form-error|form-expired)$/, // hold nothing: what was shared comes by a call
  /^GET \/document(\/|$)/, // the public documents
  /^GET \/(tour(\/(page\.(css|js)|noto-sans\.woff2))?|robots\.txt|sitemap\.xml)$/, // the public page about the product, and what search engines read
  /^GET \/sw\.js$/,
  /^GET \/widget-test\/(page\.css|:npi)$/, // the website chat on a page of ours: shows what the chat shows to anyone
  /^GET \/widget(\.js|\/:npi)$/, // the chat's script, and its page, which embeds what its public call returns
  new RegExp(`^GET (${panelPaths.map((path) => path.replaceAll('$', ':')).join('|')})$`), // the panel
  /^GET \/files\/page\.css$/, // the style of the page below
  /^(GET|POST) \/files\/:link$/, // opened by a signed link; one in a text asks for a press first
  /^(GET|POST) \/esign\//, // the local signing page: opened by a one-use link, worked by its key
  /^(GET|POST) \/merchant\//, // the local hosted form: opened by a link that works for an hour
  /^(GET|POST) \/charges\//, // the local payment provider's card form: turns a card into a token
  /^(GET|POST) \/card\//, // the local card provider's page: turns a card into a token
  /^(GET|POST) \/operator\/practices(\/|$)/, // the operator's page: opened by a signed link
];

describe.each(mounted)('$name', ({ name, endpoint }) => {
  const { ways, isPublic = false, varies = false } = examples[name] ?? { ways: () => [] };
  const needsSession = endpoint.access === 'office' || endpoint.access === 'person';

  /** A caller of ours: a website visitor has their own token, everybody else a new session. */
  const ourCaller = async () => (endpoint.access === 'visitor' ? maple.ids.visitorToken : freshSession(maple));

  test('another office’s ids, at any position, are answered like unknown ids', async () => {
    await leavesHarborAlone(isPublic, async () => {
      for (const [index, own] of ways(maple.ids).entries()) {
        // A key of its own: a link's token and a public NPI open what they name.
        const keep = endpoint.access === 'visit' || endpoint.access === 'episode' ? 'params.token' : '';
        for (const { where, foreign, unknown } of foreignVariants(own, ways, index, keep)) {
          const as = await ourCaller();
          // Both calls start with the same limits: a pause after a code that an earlier test requested ends in real time.
          await testApp.owner.deleteFrom('rateLimit').execute();
          const answer = await call(endpoint, foreign, as);
          expect(leaks(answer, isPublic), `${where}: ${answer.text.slice(0, 200)}`).toEqual([]);
          if (!isPublic) expect(answer, where).toEqual(await call(endpoint, unknown, await ourCaller()));
        }
      }
    });
  });

  test('another office named with X-Office is answered like an unknown one', async () => {
    await leavesHarborAlone(isPublic, async () => {
      for (const own of ways(maple.ids)) {
        const answers: Answer[] = [];
        for (const named of [harbor.ids.officeId, foreignIds.officeId, harbor.ids.npi, foreignIds.npi]) {
          const answer = await call(endpoint, own, await ourCaller(), { 'x-office': named });
          expect(leaks(answer), named).toEqual([]);
          if (endpoint.access === 'office') expect(answer.status).toBe(404);
          answers.push(answer);
        }
        if (needsSession && !varies) expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
        const both = { 'x-office': `${maple.id}, ${harbor.id}` };
        expect(leaks(await call(endpoint, own, await ourCaller(), both))).toEqual([]);
      }
    });
  });

  test('made-up ids change nothing', async () => {
    const { officeId, npi, visitId, userCode, token, personId } = harbor.ids;
    const smuggled = {
      officeId,
      office_id: officeId,
      npi,
      relatedNpi: npi,
      doctor: npi,
      bucket: npi,
      customer: officeId,
    };
    const more = { ...smuggled, visitId, userCode, token, personId, key: visitId, price: officeId, identity: personId };
    await leavesHarborAlone(isPublic, async () => {
      for (const own of ways(maple.ids)) {
        const body = own.body === undefined ? undefined : { ...more, ...own.body };
        const answer = await call(
          endpoint,
          { ...own, query: { ...more, ...own.query }, ...(body && { body }) },
          await ourCaller(),
        );
        expect(leaks(answer), answer.text.slice(0, 200)).toEqual([]);
      }
    });
  });

  test('a caller who is not signed in, signed out or locked gets nothing of the office they name', async () => {
    const states = {
      'no session': { token: null, code: 'not_signed_in' },
      'signed out': { token: await freshSession(harbor, 'ended'), code: 'not_signed_in' },
      locked: { token: await freshSession(harbor, 'locked'), code: 'session_locked' },
      'a made-up token': { token: 'A'.repeat(32), code: 'not_signed_in' },
    };
    await leavesHarborAlone(!needsSession, async () => {
      for (const [index, named] of ways(harbor.ids).entries()) {
        for (const [state, { token, code }] of Object.entries(states)) {
          const ask = (input: Example, office: string) => call(endpoint, input, token, { 'x-office': office });
          const answer = await ask(named, harbor.id);
          if (endpoint.access !== 'visit' && endpoint.access !== 'episode')
            expect(
              leaks(answer, isPublic || (state === 'locked' && !needsSession), state === 'locked' && !needsSession),
              `${state}: ${answer.text}`,
            ).toEqual([]);
          if (!needsSession) continue;
          expect(answer, state).toMatchObject({ status: 401 });
          expect(answer.text).toContain(`"${code}"`);
          expect(answer, state).toEqual(await ask(ways(foreignIds)[index] as Example, foreignIds.officeId));
        }
      }
    });
  });

  if (endpoint.access === 'office')
    test('a call before the agreement is signed is 403', async () => {
      const unsigned = await testApp.office({ signed: false });
      for (const own of ways({ ...foreignIds, officeId: unsigned.id, npi: unsigned.npi })) {
        const answer = await call(endpoint, own, unsigned.token);
        expect(answer.status).toBe(403);
        expect(answer.text).toContain('"agreement_missing"');
      }
    });

  if (endpoint.access === 'office')
    test("a member of both offices acts in the tab's office, never in the other", async () => {
      const token = await freshSession(both);
      await leavesHarborAlone(false, async () => {
        for (const [index, own] of ways(maple.ids).entries())
          for (const { where, foreign } of foreignVariants(own, ways, index)) {
            const answer = await call(endpoint, foreign, token, { 'x-office': maple.id });
            expect(leaks(answer), where).toEqual([]);
          }
      });
    });
});

let both: TestOffice;
beforeAll(async () => {
  both = { ...maple, personId: await testApp.addStaff({ name: 'Works at two' }, [maple, harbor]) };
});

test('two offices may use the same Idempotency-Key for the same text, and each gets only its own answer', async () => {
  const way = examples.messagePatient?.ways;
  const message = mounted.find(({ name }) => name === 'messagePatient')?.endpoint;
  if (!way || !message) throw new Error('messagePatient is gone');
  const key = { 'idempotency-key': 'the-same' };
  await call(message, way(harbor.ids)[0] as Example, harbor.token, key);
  expect(leaks(await call(message, way(maple.ids)[0] as Example, maple.token, key))).toEqual([]);
});

/** Puts the foreign id at every position of a call that has one of ours: alone, in an array, and all at once. */
function foreignVariants(own: Example, ways: (ids: OfficeIds) => Example[], index: number, keep = '') {
  const ours = new Set<string>(Object.values(maple.ids));
  const [theirs, nobodys] = [ways(harbor.ids)[index], ways(foreignIds)[index]] as [Example, Example];
  const slots = leavesOf(own).filter(
    ({ path, value }) => typeof value === 'string' && ours.has(value) && path.join('.') !== keep,
  );
  const put = (from: Example, paths: string[][], wrap: (value: unknown) => unknown) =>
    paths.reduce((made, path) => withLeaf(made, path, wrap(leafAt(from, path))), own);
  const variant = (where: string, paths: string[][], wrap: (value: unknown) => unknown = (value) => value) => ({
    where,
    foreign: put(theirs, paths, wrap),
    unknown: put(nobodys, paths, wrap),
  });
  return [
    ...slots.map(({ path }) => variant(path.join('.'), [path])),
    ...slots
      .filter(({ path }) => path[0] !== 'params')
      .map(({ path }) => variant(`${path.join('.')}[]`, [path], (value) => [value])),
    ...(slots.length > 1
      ? [
          variant(
            'everywhere',
            slots.map(({ path }) => path),
          ),
        ]
      : []),
  ];
}

function leavesOf(value: unknown, path: string[] = []): { path: string[]; value: unknown }[] {
  if (typeof value !== 'object' || value === null) return [{ path, value }];
  return Object.entries(value).flatMap(([key, inner]) => leavesOf(inner, [...path, key]));
}
const leafAt = (value: unknown, [key, ...rest]: string[]): unknown =>
  key === undefined ? value : leafAt((value as Record<string, unknown>)[key], rest);
function withLeaf<T>(value: T, [key, ...rest]: string[], leaf: unknown): T {
  if (key === undefined) return leaf as T;
  if (Array.isArray(value))
    return value.map((inner, i) => (String(i) === key ? withLeaf(inner, rest, leaf) : inner)) as T;
  return { ...value, [key]: withLeaf((value as Record<string, unknown>)[key], rest, leaf) };
}

let callers = 0;
/** One call, without the parts of the answer that always differ (request id, server time). */
async function call(
  e: AnyEndpoint,
  input: Example,
  token: string | null,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const path = e.path.replace(/:(\w+)/g, (_, key: string) => encodeURIComponent(String(input.params?.[key] ?? '')));
  const search = new URLSearchParams(
    Object.entries(input.query ?? {}).flatMap(([key, value]) => [value].flat().map((v) => [key, String(v)])),
  );
  const answer = await testApp.app.inject({
    method: e.method,
    url: `/api${path}?${search}`,
    remoteAddress: `198.18.${Math.floor(callers / 250) % 250}.${callers++ % 250}`,
    headers: { ...(token !== null && { authorization: `Bearer ${token}` }), ...headers },
    ...(input.body !== undefined && { payload: input.body as object }),
  });
  expect(answer.statusCode, answer.body).toBeLessThan(500);
  return { status: answer.statusCode, text: answer.body };
}

/** The canaries in an answer, except public ones and, on a locked screen, who locked it. */
function leaks({ text }: Answer, publicToo = false, lockedPersonToo = false): string[] {
  return canaries.filter(
    (word) =>
      text.includes(word) &&
      !(publicToo && publicFace.has(word)) &&
      !(
        lockedPersonToo &&
        (/staff|second-name|office/.test(word) || [harbor.personId, harbor.id, harbor.npi].includes(word))
      ),
  );
}

async function freshSession(of: TestOffice, state?: 'ended' | 'locked'): Promise<string> {
  const token = await testApp.signIn(of.personId);
  const at = testApp.now();
  const set = state === 'ended' ? { endedAt: at } : { lockedAt: at };
  if (state)
    await testApp.owner
      .updateTable('auth.session')
      .set(set)
      .where('tokenHash', '=', createHash('sha256').update(token).digest())
      .execute();
  return token;
}

/** Harbor's rows since the last check; undefined after calls that may change them. */
let harborRows: Record<string, string> | undefined;

/** Runs calls and checks that they change no row of harbor. */
async function leavesHarborAlone(mayChange: boolean, calls: () => Promise<void>): Promise<void> {
  const before = mayChange ? undefined : (harborRows ?? (await rowsOf(harbor)));
  await calls();
  harborRows = before && (await rowsOf(harbor));
  expect(harborRows).toEqual(before);
}

let tableNames: Promise<string[]> | undefined;
const officeTables = () => (tableNames ??= readOfficeTables());

async function readOfficeTables(): Promise<string[]> {
  const { rows } = await testApp.services.pool.query<{ name: string }>(
    `select c.table_name as name from information_schema.columns c join pg_tables t on t.tablename = c.table_name and t.schemaname = 'public'
     where c.table_schema = 'public' and c.column_name = 'office_id' order by 1`,
  );
  return rows.map(({ name }) => name);
}

/** A checksum of an office's rows in each of its tables, and of the office itself. */
async function rowsOf(of: TestOffice): Promise<Record<string, string>> {
  const tables = await officeTables();
  const sums = tables.map(
    (t) => `select '${t}' as name, md5(coalesce(string_agg(r::text, '|' order by r::text), '')) as sum from ${t} r`,
  );
  return withOffice(of, [...sums, `select 'office', md5(string_agg(r::text, '|')) from office r`]);
}

async function stringsOf(of: TestOffice, beside: TestOffice): Promise<string[]> {
  const tables = [...(await officeTables()), 'office'];
  const all = async (office: TestOffice) => {
    const rows = await withOffice(
      office,
      tables.map((t) => `select '${t}' as name, coalesce(json_agg(r), '[]')::text as sum from ${t} r`),
    );
    for (const [table, json] of Object.entries(rows)) expect(json, `${table} has no row to leak`).not.toBe('[]');
    const people = await testApp.owner
      .selectFrom('auth.identity as i')
      .innerJoin('auth.person as p', 'p.id', 'i.personId')
      .innerJoin('membership as m', 'm.personId', 'p.id')
      .select(['i.value', 'p.name', 'p.id'])
      .where('m.officeId', '=', office.id)
      .execute();
    const values = [...Object.values(rows).map((json) => JSON.parse(json) as unknown), people];
    return new Set(
      values.flatMap((value) => leavesOf(value)).flatMap(({ value }) => (typeof value === 'string' ? [value] : [])),
    );
  };
  const known = await all(beside);
  return [...(await all(of))].filter(
    (word) => word.length > 5 && !known.has(word) && !/^\d{4}-\d\d-\d\d(T|$)/.test(word),
  );
}

async function withOffice(of: TestOffice, selects: string[]): Promise<Record<string, string>> {
  const client = await testApp.services.pool.connect();
  try {
    await client.query('begin');
    await client.query(`set local app.office_id = '${of.id}'`);
    const text = selects.join(' union all ');
    // Prepared: planning a select of each table takes longer than the select.
    const name = createHash('md5').update(text).digest('hex');
    const { rows } = await client.query<{ name: string; sum: string }>({ name, text });
    return Object.fromEntries(rows.map(({ name, sum }) => [name, sum]));
  } finally {
    await client.query('rollback');
    client.release();
  }
}
