import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { queue } from '#contract/index.ts';
import { runAsOwner } from '#testing/app/database-nodes.ts';
import { openTestApp } from '#testing/app/test-app.ts';
import { isDatabaseAway, isViolationOf } from './db.ts';

const testApp = await openTestApp();
testApp.services.log.level = 'silent';
afterAll(() => testApp.close());

const cutAll = () =>
  sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`.execute(testApp.owner);

test('if connections are cut at any point, each call succeeds or answers 503 with Retry-After, and none is half done', async () => {
  const visits = await Promise.all(Array.from({ length: 60 }, () => testApp.visit()));
  const calls = visits.map(({ id }) => testApp.call(queue.moveVisit, { body: { id, action: 'INVITED' } }));
  const cuts = (async () => {
    for (let i = 0; i < 8; i++) {
      await cutAll();
      await new Promise((done) => setTimeout(done, 15));
    }
  })();
  const answers = await Promise.all(calls);
  await cuts;
  const away = answers.filter(({ status }) => status === 503);
  expect(answers.filter(({ status }) => status !== 200 && status !== 503)).toEqual([]);
  expect(away.length).toBeGreaterThan(0);
  for (const { body, headers } of away) {
    expect(body.code).toBe('overloaded');
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  }
  const { body: list } = await testApp.call(queue.listQueue, { query: {} });
  const texts = await testApp.texts();
  const entries = await testApp.auditEntries();
  for (const { id, statusCode } of list) {
    const invited = statusCode === 'INVITED' ? 1 : 0;
    expect(texts.filter(({ visitId }) => visitId === id)).toHaveLength(invited);
    expect(entries.filter((e) => e.subject === id && e.action === 'visit.move')).toHaveLength(invited);
  }
  await expect.poll(() => testApp.services.pool.idleCount).toBe(testApp.services.pool.totalCount);
});

test.each(['40P01', '40001'])(
  'a call whose transaction PostgreSQL aborts with %s answers 503 with Retry-After, and changes nothing',
  async (code) => {
    const { id } = await testApp.visit();
    await runAsOwner(testApp.owner, [
      `create or replace function abort_move() returns trigger language plpgsql as
       $$ begin raise exception 'aborted' using errcode = '${code}'; end $$`,
      'create trigger abort_move before update on visit for each row execute function abort_move()',
    ]);
    const move = () => testApp.call(queue.moveVisit, { body: { id, action: 'INVITED' } });
    const { status, headers, body } = await move();
    await runAsOwner(testApp.owner, ['drop trigger abort_move on visit']);
    expect([status, body.code]).toEqual([503, 'overloaded']);
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    expect((await testApp.texts()).filter(({ visitId }) => visitId === id)).toEqual([]);
    expect((await move()).status).toBe(200);
  },
);

test.each([
  ['57P01', true],
  ['57P03', true],
  ['08006', true],
  ['53300', true],
  ['ECONNREFUSED', true],
  ['ECONNRESET', true],
  ['ETIMEDOUT', true],
  ['ENOENT', false],
  ['23505', false],
  ['42501', false],
  ['40P01', false],
])('isDatabaseAway for the error %s is %s', (code, away) => {
  expect(isDatabaseAway(Object.assign(new Error('x'), { code }))).toBe(away);
});

test.each([
  ['visit_running', true],
  ['visit_running_102046', true],
  ['visit_running_day', false],
  ['visit_running_', false],
  ['visit', false],
  [undefined, false],
])('isViolationOf visit_running for the constraint %s is %s', (constraint, expected) => {
  expect(isViolationOf(Object.assign(new Error('x'), { code: '23505', constraint }), 'visit_running')).toBe(expected);
});

test('isViolationOf finds the constraint in the message of a distributed PostgreSQL', () => {
  const message = 'duplicate key value violates unique constraint "visit_running_102046"';
  expect(isViolationOf(Object.assign(new Error(message), { code: '23505' }), 'visit_running')).toBe(true);
  expect(isViolationOf(Object.assign(new Error(message), { code: '23505' }), 'visit')).toBe(false);
  expect(isViolationOf(Object.assign(new Error(message), { code: '23514' }), 'visit_running')).toBe(false);
});

test('a missing socket file means the database is away; another missing file is a bug', () => {
  expect(isDatabaseAway(Object.assign(new Error('x'), { code: 'ENOENT', syscall: 'connect' }))).toBe(true);
  expect(isDatabaseAway(Object.assign(new Error('x'), { code: 'ENOENT', syscall: 'open' }))).toBe(false);
});
