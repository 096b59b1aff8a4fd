import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDb, openPool } from '#server/kit/db/db.ts';
import { sendHint } from '#server/kit/db/statements.ts';
import { appUrlOf } from '#testing/app/app-url.ts';
import { openTestApp } from '#testing/app/test-app.ts';
import { openHintSender } from './hint-sender.ts';
import { hintChannel, type Hint } from './hint.ts';

describe('collecting', () => {
  const openRecorder = (fails = 0) => {
    const sent: string[][] = [];
    const sender = openHintSender(async (hints) => {
      if (fails-- > 0) throw new Error('the database is away');
      sent.push(hints);
    });
    return { sent, sender };
  };

  test('the first hint leaves at once, those of the next moment together and equal ones once', async () => {
    const { sent, sender } = openRecorder();
    sender.send(['a', 'a']);
    await new Promise(setImmediate);
    await new Promise(setImmediate);
    expect(sent).toEqual([['a']]);
    sender.send(['b', 'c']);
    sender.send(['b']);
    await expect.poll(() => sent).toEqual([['a'], ['b', 'c']]);
  });

  test('hints are sent again after the database was away, and are the backlog until then', async () => {
    const { sent, sender } = openRecorder(2);
    sender.send(['a', 'a', 'b']);
    expect(sender.backlog()).toBe(2);
    await expect.poll(() => sent).toEqual([['a', 'b']]);
    await expect.poll(() => sender.backlog()).toBe(0);
  });

  test('at most 10,000 different hints wait for a database that is away', async () => {
    const { sent, sender } = openRecorder(1);
    sender.send(Array.from({ length: 12_000 }, (_, i) => `hint ${i}`));
    await expect.poll(() => sent.flat().length).toBe(10_000);
  });

  test('the end of the process sends what waits', async () => {
    const { sent, sender } = openRecorder();
    sender.send(['a']);
    await new Promise(setImmediate);
    await new Promise(setImmediate);
    sender.send(['b']);
    await sender.close();
    expect(sent.flat()).toEqual(['a', 'b']);
  });
});

describe('transactions', () => {
  let testApp: Awaited<ReturnType<typeof openTestApp>>;
  let listener: pg.Client;
  const heard: Hint[] = [];
  beforeAll(async () => {
    testApp = await openTestApp();
    listener = new pg.Client(testApp.url);
    await listener.connect();
    listener.on('notification', ({ payload = '' }) => void heard.push(JSON.parse(payload) as Hint));
    await listener.query(`listen ${hintChannel}`);
  });
  afterAll(async () => {
    await listener.end();
    await testApp.close();
  });
  const office = () => testApp.maple.id;
  const typesHeard = () => heard.splice(0).map(({ type }) => type);

  test('a hint comes after the commit, once for equal ones', async () => {
    await testApp.inOffice(testApp.maple, async (tx) => {
      for (let i = 0; i < 3; i++) await sendHint(tx, { office: office(), type: 'checkin' });
      await sleep(50);
      expect(typesHeard()).toEqual([]);
    });
    await expect.poll(() => heard.length).toBe(1);
    await sleep(50);
    expect(typesHeard()).toEqual(['checkin']);
  });

  test('a transaction that is rolled back, or whose commit PostgreSQL refuses, sends no hint', async () => {
    const send = testApp.inOffice(testApp.maple, async (tx) => {
      await sendHint(tx, { office: office(), type: 'rolled-back' });
      throw new Error('no');
    });
    await expect(send).rejects.toThrow('no');
    await testApp
      .inOffice(testApp.maple, async (tx) => {
        await sendHint(tx, { office: office(), type: 'refused' });
        await tx
          .selectFrom('visit')
          .select((q) => q.cast<number>(q.val('x'), 'integer').as('n'))
          .execute()
          .catch(() => undefined);
      })
      .catch(() => undefined);
    await testApp.inOffice(testApp.maple, (tx) => sendHint(tx, { office: office(), type: 'last' }));
    await expect.poll(() => heard.at(-1)?.type).toBe('last');
    expect(typesHeard()).toEqual(['last']);
  });

  test.each<[string, Hint]>([
    ['the end of a session', { type: 'session', session: 'one' }],
    ['a removed colleague', { type: 'team', removed: 'one' }],
    ['a proved link', { type: 'message', visit: 'one', proved: true }],
  ])('the hint about %s is part of the transaction', async (_what, hint) => {
    const sent: string[] = [];
    const collect = (client: pg.PoolClient) => {
      const query = client.query.bind(client) as (...args: unknown[]) => unknown;
      client.query = ((...args: unknown[]) => {
        const [statement] = args as [string | { text: string }];
        sent.push(typeof statement === 'string' ? statement : statement.text);
        return query(...args);
      }) as typeof client.query;
    };
    const pool = openPool(appUrlOf(testApp.url), { max: 1 });
    pool.on('connect', collect);
    const db = openDb(pool);
    await db.transaction().execute((tx) => sendHint(tx, hint));
    expect(sent.findIndex((text) => text.includes('pg_notify'))).toBeLessThan(sent.indexOf('commit'));
    await expect.poll(() => typesHeard()).toEqual([hint.type]);
    await db.destroy();
  });

  test('a pool that ends sends the hints that wait', async () => {
    const db = openDb(openPool(appUrlOf(testApp.url), { max: 1 }));
    for (const type of ['first', 'second']) await db.transaction().execute((tx) => sendHint(tx, { type }));
    await db.destroy();
    await expect.poll(() => heard.length).toBe(2);
    expect(typesHeard()).toEqual(['first', 'second']);
  });
});
