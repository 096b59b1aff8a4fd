import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { asOffice } from '#server/kit/db/db.ts';
import { UsageError, runCommand } from '#server/kit/command.ts';
import { openTestApp, type TestApp } from '#testing/app/test-app.ts';
import { auditCommands } from './commands.ts';
import { chainAllOffices } from './chain-entries.ts';

let testApp: TestApp;
beforeAll(async () => void (testApp = await openTestApp()));
afterAll(() => testApp.close());

async function verify(...options: string[]): Promise<{ code: number; says: string }> {
  const lines: string[] = [];
  const desk = {
    services: testApp.services,
    owner: testApp.owner,
    ownerUrl: testApp.url,
    say: (line: string) => void lines.push(line),
  };
  const code = await runCommand(auditCommands, ['audit', 'verify', ...options], desk);
  return { code, says: lines.join('\n') };
}

test('audit verify reports chained and unchained entries and findings, and exits with 1 if there are findings', async () => {
  await testApp.visit();
  expect(await verify()).toMatchObject({
    code: 0,
    says: expect.stringContaining('nothing of its 1 entry is protected'),
  });
  await chainAllOffices(testApp.services);
  await testApp.visit();
  const whole = await verify('--office', testApp.maple.npi);
  expect(whole.code).toBe(0);
  expect(whole.says).toContain('2 entries chained, 1 signed head.');
  expect(whole.says).toContain('Entries after it are not chained yet: 1.');
  expect(whole.says).toContain('Nothing was tampered with.');

  await asOffice(testApp.owner, testApp.maple.id, (tx) =>
    sql`update audit_entry set subject = 'x' where office_id = ${testApp.maple.id} and action = 'visit.arrive'`.execute(
      tx,
    ),
  );
  const found = await verify();
  expect(found.code).toBe(1);
  expect(found.says).toMatch(/FOUND {2}place 1: entry \d+ or its chain link has changed/);
  expect((await verify('--office', testApp.other.npi)).code).toBe(0);
});

test('audit verify finds an office that was deleted from the database by its heads', async () => {
  const gone = await testApp.office();
  await testApp.visit({ office: gone });
  await chainAllOffices(testApp.services);
  await asOffice(testApp.owner, gone.id, (tx) => tx.deleteFrom('office').where('id', '=', gone.id).execute());
  const { code, says } = await verify();
  expect([code, says]).toEqual([1, expect.stringContaining(`office ${gone.id} has signed heads`)]);
});

test('audit verify refuses an unknown office', async () => {
  await expect(verify('--office', '1999999976')).rejects.toThrow(UsageError);
});
