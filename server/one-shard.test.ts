import type pg from 'pg';
import { expect, test } from 'vitest';
import { allEndpoints } from '#contract/openapi.ts';
import { onCitus } from '#testing/app/database-nodes.ts';
import { openTestApp } from '#testing/app/test-app.ts';
import { fillOffice } from '#testing/app/two-offices.ts';
import { examples } from '#testing/fixtures/endpoint-examples.ts';

const severalOffices = 'an invitation or a person of several offices, or one who is in none';
const unknownKey = 'a link or number that the directory does not know';
const nearby = 'practices near an address';

/** Calls that may ask every shard, and why. All others find the office first, and then ask one shard at a time. */
const asksAllShards: Record<string, string> = {
  acceptInvitation: severalOffices,
  addPartnerLocation: nearby,
  declineInvitation: unknownKey,
  joinOffice: severalOffices,
  openSharedForm: unknownKey,
  readInvitation: unknownKey,
  readSession: severalOffices,
  readSharedForms: unknownKey,
  registerPractice: nearby,
  saveOfficeDetails: unknownKey,
  savePreferences: severalOffices,
  unlockWithPin: severalOffices,
};

test.skipIf(!onCitus())(
  'on Citus, every call of the contract but the listed ones asks one shard at a time',
  async () => {
    const testApp = await openTestApp();
    testApp.services.log.level = 'silent';
    const maple = await fillOffice(testApp, 'MAPLE', '2100070123');
    const { pool } = testApp.services;
    let asked: string[] = [];
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

    const found: Record<string, string[]> = {};
    for (const { operationId, endpoint } of allEndpoints())
      for (const { params = {}, query = {}, body } of examples[operationId]?.ways(maple.ids) ?? []) {
        asked = [];
        await testApp.app.inject({
          method: endpoint.method,
          url: `/api${endpoint.path.replace(/:(\w+)/g, (_, key: string) => encodeURIComponent(params[key] ?? ''))}`,
          query: Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined)) as Record<
            string,
            string
          >,
          headers: {
            authorization: `Bearer ${endpoint.access === 'visitor' ? maple.ids.visitorToken : await testApp.signIn(maple.personId)}`,
            'x-office': maple.id,
          },
          ...(body !== undefined && { payload: body as object }),
        });
        if (asked.length > 0) found[operationId] = [...new Set(asked)];
      }
    await testApp.close();
    expect(Object.entries(found).filter(([operationId]) => !(operationId in asksAllShards))).toEqual([]);
  },
  300_000,
);
