import type pg from 'pg';
import { expect, test } from 'vitest';
import { allEndpoints } from '#contract/openapi.ts';
import { onCitus } from '#testing/app/database-nodes.ts';
import { openTestApp } from '#testing/app/test-app.ts';
import { fillOffice } from '#testing/app/two-offices.ts';
import { examples } from '#testing/fixtures/endpoint-examples.ts';

const severalOffices = 'a person of several offices';
const nearby = 'practices near an address';

/** Calls that may ask every shard, and why. All others find the office first, and then ask one shard at a time. */
const asksAllShards: Record<string, string> = {
  addPartnerLocation: nearby,
  readSession: severalOffices,
  registerPractice: nearby,
  saveOfficeDetails: nearby,
  savePreferences: severalOffices,
  unlockWithPin: severalOffices,
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

test.skipIf(!onCitus())(
  'on Citus, every call of the contract but the listed ones asks one shard at a time',
  async () => {
    const testApp = await openTestApp();
    testApp.services.log.level = 'silent';
    const asked = collectStatementsOfManyShards(testApp.services.pool);
    const askedBy = new Map<string, Set<string>>();
    const done = new Set<string>();
    // Calls take each other's rows away, so what was refused is tried again in another office.
    for (const [mark, npi] of [
      ['MAPLE', '2100070123'],
      ['HARBOR', '2100070131'],
      ['SUMMIT', '2100070149'],
    ] as const) {
      const office = await fillOffice(testApp, mark, npi);
      for (const { operationId, endpoint } of allEndpoints()) {
        if (done.has(operationId)) continue;
        for (const { params = {}, query = {}, body } of examples[operationId]?.ways(office.ids) ?? []) {
          asked.length = 0;
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
          for (const statement of asked)
            askedBy.set(operationId, (askedBy.get(operationId) ?? new Set<string>()).add(statement));
        }
      }
    }
    await testApp.close();
    expect(hotCalls.filter((operationId) => !done.has(operationId))).toEqual([]);
    expect([...askedBy].filter(([operationId]) => !(operationId in asksAllShards))).toEqual([]);
    expect(Object.keys(asksAllShards).filter((operationId) => !askedBy.has(operationId))).toEqual([]);
  },
  300_000,
);

/** Every statement on the pool that asks several shards is added to the returned list, or the line of the function that has it. */
function collectStatementsOfManyShards(pool: pg.Pool): string[] {
  const asked: string[] = [];
  const watched = new WeakSet<pg.PoolClient>();
  pool.on('acquire', (client: pg.PoolClient) => {
    if (watched.has(client)) return;
    watched.add(client);
    let statement = '';
    client.on('notice', ({ message = '', where }) => {
      if (message.includes('multi-task query')) asked.push((where ?? statement).replaceAll(/\s+/g, ' '));
    });
    const query = client.query.bind(client) as (...args: unknown[]) => unknown;
    client.query = ((...args: unknown[]) => {
      const [given] = args as [string | { text: string }];
      statement = typeof given === 'string' ? given : given.text;
      return query(...args);
    }) as typeof client.query;
    void query('set citus.multi_task_query_log_level = notice');
  });
  return asked;
}
