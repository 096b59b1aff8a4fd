import type pg from 'pg';
import { describe, expect, test } from 'vitest';
import { allEndpoints } from '#contract/openapi.ts';
import { onCitus } from '#testing/app/database-nodes.ts';
import { openTestApp } from '#testing/app/test-app.ts';
import { fillOffice } from '#testing/app/two-offices.ts';
import { examples } from '#testing/fixtures/endpoint-examples.ts';
import { patientTexts, report, sendDueTexts, textOfVisit, textRow } from '#testing/fixtures/texts.ts';

const nearby = 'practices near an address';

/** Calls that may ask every shard, and why. All others find the office first, and then ask one shard at a time. */
const asksAllShards: Record<string, string> = {
  addPartnerLocation: nearby,
  registerPractice: nearby,
  saveOfficeDetails: nearby,
};

/** What desks and patients do all day. Each must have done its work here: a refusal would not reach the statements that matter. */
const hotCalls = [
  'addCheckin',
  'checkIn',
  'countForms',
  'downloadForm',
  'listCheckedIn',
  'listExpected',
  'listQueue',
  'listQueueChanges',
  'listVisitForms',
  'messagePatient',
  'movePatientVisit',
  'moveVisit',
  'readConversation',
  'readFormAnswers',
  'readInbox',
  'readPatient',
  'readPatientVisit',
  'readPayment',
  'readSession',
  'readVisit',
  'readVisitForm',
  'reinviteCheckin',
  'saveVisitForm',
  'searchForms',
  'searchPatients',
  'sendMessage',
  'sendVisitorMessage',
  'startChat',
  'submitVisitForm',
  'updateCheckin',
  'writeToPractice',
];

describe.skipIf(!onCitus())('on Citus', { timeout: 600_000 }, () => {
  test('every call of the contract but the listed ones asks one shard at a time', async () => {
    const { done, askedBy } = await callAll('notice');
    expect(hotCalls.filter((operationId) => !done.has(operationId))).toEqual([]);
    expect([...askedBy].filter(([operationId]) => !(operationId in asksAllShards))).toEqual([]);
    expect(Object.keys(asksAllShards).filter((operationId) => !askedBy.has(operationId))).toEqual([]);
  });

  test('what desks and patients do all day works while a statement of several shards is an error', async () => {
    const { done } = await callAll('error', [...hotCalls, 'saveOfficeDetails']);
    expect(hotCalls.filter((operationId) => !done.has(operationId))).toEqual([]);
    expect(done).not.toContain('saveOfficeDetails');
  });

  test('so do a patient’s texts, and what the carrier reports of ours', async () => {
    const testApp = await openTestApp();
    testApp.services.log.level = 'silent';
    const shards = watchShards(testApp.services.pool);
    const phone = '+12125550171';
    const visit = await testApp.visit({ phone, moves: ['invite'] });
    await sendDueTexts(testApp.services);
    const { id, providerId } = await textOfVisit(testApp, visit.id);
    shards.level = 'error';
    for (const words of ['Where do I park?', 'HERE', 'HELP', 'STOP', 'START'])
      expect([words, await patientTexts(testApp, phone, words)]).toEqual([words, 200]);
    const reference = `${testApp.maple.id}.${id}`;
    expect(await report(testApp, { providerId: providerId ?? '', state: 'delivered', reference })).toBe(200);
    shards.level = 'off';
    expect(await textRow(testApp, id)).toMatchObject({ state: 'delivered' });
    const messages = await testApp.inOffice(testApp.maple, (tx) => tx.selectFrom('message').select('body').execute());
    expect(messages.map(({ body }) => body)).toEqual(expect.arrayContaining(['Where do I park?', 'STOP']));
    await testApp.close();
  });
});

/** Sends the examples of these calls (all, if none are named). Calls take each other's rows away, so what was refused is tried again in another office. */
async function callAll(level: Level, operationIds?: string[]) {
  const testApp = await openTestApp();
  testApp.services.log.level = 'silent';
  const shards = watchShards(testApp.services.pool);
  const askedBy = new Map<string, Set<string>>();
  const done = new Set<string>();
  const calls = allEndpoints().filter(({ operationId }) => operationIds?.includes(operationId) ?? true);
  for (const [mark, npi] of [
    ['MAPLE', '2100070123'],
    ['HARBOR', '2100070131'],
    ['SUMMIT', '2100070149'],
  ] as const) {
    shards.level = 'off';
    const office = await fillOffice(testApp, mark, npi);
    shards.level = level;
    for (const { operationId, endpoint } of calls) {
      if (done.has(operationId)) continue;
      for (const { params = {}, query = {}, body } of examples[operationId]?.ways(office.ids) ?? []) {
        shards.asked = [];
        const { statusCode } = await testApp.app.inject({
          method: endpoint.method,
          url: `/api${endpoint.path.replace(/:(\w+)/g, (_, key: string) => encodeURIComponent(params[key] ?? ''))}`,
          query: Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined)) as Record<
            string,
            string
          >,
          headers: {
            authorization: `Bearer ${endpoint.access === 'visitor' ? office.ids.visitorToken : await testApp.signIn(office.personId)}`,
            'x-office': office.id,
          },
          ...(body !== undefined && { payload: body as object }),
        });
        if (statusCode < 400) done.add(operationId);
        for (const statement of shards.asked)
          askedBy.set(operationId, (askedBy.get(operationId) ?? new Set<string>()).add(statement));
      }
    }
  }
  await testApp.close();
  return { done, askedBy };
}

type Level = 'off' | 'notice' | 'error';

/**
 * What Citus says about statements on the pool that ask several shards: nothing, a notice, or an error. `asked` has those with a notice, or
 * the line of the function that has them.
 */
function watchShards(pool: pg.Pool): { level: Level; asked: string[] } {
  const watch: { level: Level; asked: string[] } = { level: 'off', asked: [] };
  const levels = new WeakMap<pg.PoolClient, Level>();
  pool.on('acquire', (client: pg.PoolClient) => {
    if (!levels.has(client)) listen(client);
    if (levels.get(client) === watch.level) return;
    levels.set(client, watch.level);
    void client.query(`set citus.multi_task_query_log_level = ${watch.level}`);
  });

  function listen(client: pg.PoolClient): void {
    let statement = '';
    client.on('notice', ({ message = '', where }) => {
      if (message.includes('multi-task query')) watch.asked.push((where ?? statement).replaceAll(/\s+/g, ' '));
    });
    const query = client.query.bind(client) as (...args: unknown[]) => unknown;
    client.query = ((...args: unknown[]) => {
      const [given] = args as [string | { text: string }];
      statement = typeof given === 'string' ? given : given.text;
      return query(...args);
    }) as typeof client.query;
  }
  return watch;
}
