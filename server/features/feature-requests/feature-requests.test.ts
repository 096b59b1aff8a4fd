import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { featureRequests } from '#contract/index.ts';
import { officeScope } from '#server/kit/http/request-context.ts';
import { systemActor } from '#server/context.ts';
import { openTestApp, type TestOffice } from '#testing/app/test-app.ts';
import { runCommand } from '#server/kit/command.ts';
import { featureRequestCommands } from './commands.ts';
import { mailRequests } from './mail-requests.ts';

const t = await openTestApp({ env: { OPERATOR_EMAIL: 'operator@anteroom.test' } });
afterAll(() => t.close());

const mails = async (of: TestOffice) =>
  (await t.services.db.selectFrom('dev.outbox').selectAll().where('recipient', '=', 'operator@anteroom.test').execute())
    .map(({ body }) => body)
    .filter((body) => body.includes(of.npi));
const request = (as: { token: string }) =>
  t.call(featureRequests.requestFeature, { body: { feature: 'chat' } }, { as });
const requested = async (as: { token: string }) => (await t.call(featureRequests.readFeatureRequests, {}, { as })).body;

test('a request is stored for the person, and the operator gets one email, however often it is pressed', async () => {
  expect(await requested(t.maple)).toEqual({ requested: [] });
  const replies = await Promise.all(Array.from({ length: 5 }, () => request(t.maple)));
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
  expect(await requested(t.maple)).toEqual({ requested: ['chat'] });
  expect(await mails(t.maple)).toEqual([
    expect.stringContaining(`Maple Street Pediatrics, NPI ${t.maple.npi}, would like to have the website chat.`),
  ]);
  const entries = (await t.auditEntries()).filter(({ action }) => action === 'feature.request');
  expect(entries).toHaveLength(1);
});

test('another practice has not asked for it', async () => {
  expect(await requested(t.other)).toEqual({ requested: [] });
});

test('an email that fails is sent later, once', async () => {
  const { env } = t.services;
  env.operatorEmail = 'bounce@anteroom.test';
  expect((await request(t.other)).body).toEqual({ requested: ['chat'] });
  expect(await mails(t.other)).toEqual([]);
  env.operatorEmail = 'operator@anteroom.test';
  for (let i = 0; i < 2; i++) await mailRequests(officeScope(t.services, t.other.id, systemActor, 'test'));
  expect(await mails(t.other)).toHaveLength(1);
});

test('an email that fails for two days is not tried any more', async () => {
  const { env } = t.services;
  const office = await t.office({ name: 'Third Practice' });
  const operatorEmail = env.operatorEmail;
  env.operatorEmail = 'bounce@anteroom.test';
  await request(office);
  const retry = () => mailRequests(officeScope(t.services, office.id, systemActor, 'test'));
  await t.inOffice(office, (tx) =>
    tx.updateTable('featureRequest').set({ mailTries: 47 }).where('officeId', '=', office.id).execute(),
  );
  await retry();
  env.operatorEmail = operatorEmail;
  await retry();
  expect(await mails(office)).toEqual([]);
  expect(await requested(office)).toEqual({ requested: ['chat'] });
});

/** What the operator's command prints. */
async function listRequests(): Promise<string[]> {
  const lines: string[] = [];
  const desk = { services: t.services, owner: t.owner, ownerUrl: t.url, say: (line: string) => void lines.push(line) };
  await runCommand(featureRequestCommands, ['feature-requests'], desk);
  return lines;
}

test('without an address of the operator a request is a warning in the log, and the operator’s command lists it until the practice has the feature', async () => {
  const { env } = t.services;
  const { operatorEmail } = env;
  onTestFinished(() => void (env.operatorEmail = operatorEmail));
  delete env.operatorEmail;
  const office = await t.office({ name: 'Fourth Practice' });
  const warn = vi.spyOn(t.services.log, 'warn').mockImplementation(() => undefined);
  onTestFinished(() => warn.mockRestore());
  for (let i = 0; i < 2; i++) await request(office);
  t.later(61);
  const about = warn.mock.calls.filter(([, message]) => String(message).includes('feature request'));
  expect(about).toEqual([[{ officeId: office.id }, expect.stringContaining('reaches nobody')]]);
  expect(JSON.stringify(about)).not.toContain('Fourth Practice');

  const line = () => listRequests().then((lines) => lines.find((one) => one.includes(office.npi)));
  expect(await line()).toMatch(/Fourth Practice +the website chat +waiting$/);
  await t.inOffice(office, (tx) =>
    tx
      .updateTable('office')
      .set({ settings: JSON.stringify({ chatEnabled: true }) })
      .where('id', '=', office.id)
      .execute(),
  );
  expect(await line()).toBeUndefined();
});
