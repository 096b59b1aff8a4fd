import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { appUrlOf } from '#testing/app/app-url.ts';
import { startProcess } from '#testing/app/process.ts';
import { freshDatabase } from '#testing/app/test-app.ts';
import { expectNoDistributionAt, markDistribution, unmarkDistribution } from './distribution-marker.ts';

const database = await freshDatabase();
const appUrl = appUrlOf(database.url);
const client = new pg.Client({ connectionString: database.url });
beforeAll(() => client.connect());
afterEach(() => unmarkDistribution(client));
afterAll(async () => {
  await client.end();
  await database.drop();
});

const refusal = /distributed over several nodes, since 20.*database distribute" has ended/s;

test('a server does not start while tables are being distributed, with or without the owner’s login', async () => {
  expect(await markDistribution(client)).toBe(false);
  await expect(startProcess(database.url)).rejects.toThrow(refusal);
  await expect(startProcess(null, { DATABASE_URL: appUrl })).rejects.toThrow(refusal);
  await unmarkDistribution(client);
  await expectNoDistributionAt(appUrl);
});

test('a distribution that was interrupted is recognized by the next', async () => {
  expect(await markDistribution(client)).toBe(false);
  expect(await markDistribution(client)).toBe(true);
  await expect(expectNoDistributionAt(appUrl)).rejects.toThrow(refusal);
});

test('the app can read the marker, and can neither set nor remove it', async () => {
  const app = new pg.Client({ connectionString: appUrl });
  await app.connect();
  try {
    for (const attempt of [markDistribution, unmarkDistribution])
      await expect(attempt(app)).rejects.toMatchObject({ code: '42501' });
  } finally {
    await app.end();
  }
});
