import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { copay, transactions } from '#contract/index.ts';
import type { TextErrorClass, TextState } from '#contract/queue.ts';
import { sendDueReminders } from '#server/features/agreement/reminders.ts';
import { mailOperator } from '#server/features/confirmation/jobs.ts';
import { checkDuePayments } from '#server/features/copay/jobs.ts';
import { mailRequests } from '#server/features/demo-request/jobs.ts';
import { sendDuePushes } from '#server/features/push/jobs.ts';
import { mailClaims } from '#server/features/registration/npi-claim-emails.ts';
import { textCommands } from '#server/features/texting/commands.ts';
import { encryptLink } from '#server/features/texting/index.ts';
import { runCommand } from '#server/kit/command.ts';
import { openTestApp, type TestApp, type TestOffice } from '#testing/app/test-app.ts';
import { makeCard, payingOffice, requestOn } from '#testing/fixtures/payments.ts';
import { holdWaiting } from './hold-waiting.ts';

let t: TestApp;
let emails: string[];
let pushes: number;
beforeAll(async () => {
  t = await openTestApp({ at: new Date(), env: { OPERATOR_EMAIL: 'operator@anteroom.test' } });
  const { email, push } = t.services.providers;
  t.services.providers.email = { ...email, send: async ({ subject }) => void emails.push(subject) };
  t.services.providers.push = { ...push, send: async () => void pushes++ };
});
afterAll(() => t.close());

async function hold(): Promise<string> {
  const lines: string[] = [];
  await holdWaiting(t.url, (line) => void lines.push(line));
  return lines.join('\n');
}

/** A text of an office in some state, `minutes` overdue. */
async function addText(
  office: TestOffice,
  given: { state: TextState; minutes?: number; errorClass?: TextErrorClass; body?: string; link?: string },
): Promise<string> {
  const { state, minutes = 1, errorClass = null, body = 'Hello', link } = given;
  const id = t.services.id();
  const at = new Date(t.now().getTime() - minutes * 60_000);
  await t.owner
    .insertInto('text')
    .values({
      officeId: office.id,
      id,
      kind: 'message',
      fromPhone: '+12125550188',
      toPhone: '+12125550177',
      body,
      state,
      errorClass,
      sendAt: at,
      createdAt: at,
      needsLink: link !== undefined,
      sealedLink: link ? encryptLink(t.services, id, link) : null,
    })
    .execute();
  return id;
}

async function statesOf(...offices: TestOffice[]): Promise<Record<string, string>> {
  const texts = (await Promise.all(offices.map((office) => t.texts(office)))).flat();
  return Object.fromEntries(texts.map(({ id, state }) => [id, state]));
}

async function release(): Promise<string> {
  const lines: string[] = [];
  const say = (line: string) => void lines.push(line);
  const desk = { services: t.services, owner: t.owner, ownerUrl: t.url, say };
  expect(await runCommand(textCommands, ['texts', 'release'], desk)).toBe(0);
  return lines.join('\n');
}

test('texts release sends the texts a restore held, but not those that a send limit held', async () => {
  const { maple, other } = t;
  const limited = await addText(maple, { state: 'held', errorClass: 'rate' });
  const waiting = await addText(maple, { state: 'queued' });
  const elsewhere = await addText(other, { state: 'queued' });
  const withLink = await addText(maple, {
    state: 'queued',
    body: 'Your visit: {link}',
    link: 'http://localhost/visit/x',
  });
  const late = await addText(maple, { state: 'queued', minutes: 61 });
  const sending = await addText(maple, { state: 'sending', body: 'See {link}', link: 'http://localhost/visit/y' });
  const sent = await addText(maple, { state: 'sent' });

  expect(await hold()).toContain('4 waiting texts are held');
  const held = { [limited]: 'held', [waiting]: 'held', [elsewhere]: 'held', [withLink]: 'held', [late]: 'held' };
  expect(await statesOf(maple, other)).toEqual({ ...held, [sending]: 'unknown', [sent]: 'sent' });

  const said = await release();
  expect(said).toContain('3 texts released. 1 are more than 60 minutes late');
  const left = { ...held, [withLink]: 'queued', [waiting]: 'queued', [elsewhere]: 'queued' };
  expect(await statesOf(maple, other)).toEqual({ ...left, [sending]: 'unknown', [sent]: 'sent' });
  const texts = await t.texts(maple);
  expect(texts.find(({ id }) => id === withLink)?.sent).toBe('Your visit: http://localhost/visit/x');
  expect(texts.find(({ id }) => id === sending)?.sealedLink).toBeNull();
});

test('no push or email that was due is sent after a restore; later ones are', async () => {
  const unsigned = await t.office({ signed: false, name: 'Elm Street Family Care' });
  const limited = await t.office({ name: 'New Practice' });
  const at = t.now();
  const asksForDemo = (id: string) =>
    t.owner
      .insertInto('demoRequest')
      .values({ id, name: 'Ann', practice: 'Oak Clinic', email: 'ann@oak.test', createdAt: at })
      .execute();
  await asksForDemo(t.services.id());
  await t.owner
    .insertInto('auth.npiClaim')
    .values({ personId: t.other.personId, officeId: t.maple.id, npi: t.maple.npi, claimedAt: at, askedAt: at })
    .execute();
  await t.owner
    .updateTable('office')
    .set({ confirmedAt: null, confirmedBy: null })
    .where('id', '=', limited.id)
    .execute();
  await t.owner
    .insertInto('officeConfirmation')
    .values({ officeId: limited.id, id: t.services.id(), createdAt: at })
    .execute();
  await t.owner
    .insertInto('pushSubscription')
    .values({
      officeId: t.maple.id,
      id: t.services.id(),
      personId: t.maple.personId,
      endpoint: 'https://push.test/1',
      p256dh: 'k',
      auth: 'a',
      createdAt: at,
      dueAt: at,
    })
    .execute();
  await sql`update office set created_at = now() - interval '6 days' where id = ${unsigned.id}`.execute(t.owner);

  const said = await hold();
  expect(said).toContain('1 agreement reminders, 1 demo requests');
  expect(said).toMatch(/1 claims of an NPI .*1 new practices/);

  const sendAll = async () => {
    [emails, pushes] = [[], 0];
    for (const job of [sendDueReminders, mailRequests, mailClaims, mailOperator, sendDuePushes]) await job(t.services);
    return { emails, pushes };
  };
  expect(await sendAll()).toEqual({ emails: [], pushes: 0 });
  t.later(60);
  expect(await sendAll()).toEqual({ emails: [], pushes: 0 });

  await asksForDemo(t.services.id());
  t.later(2 * 24 * 60);
  expect((await sendAll()).emails).toEqual([
    'Elm Street Family Care: one signature and Anteroom is ready',
    'Demo request: Oak Clinic',
  ]);
});

test('payments that were to be recorded in the practice software are not recorded again; a person looks', async () => {
  const office = await payingOffice(t);
  const visit = await requestOn(t, office);
  const body = { paymentId: visit.chargeId, card: await makeCard(t) };
  await t.call(copay.payCopay, { params: { token: visit.token }, body }, { as: null });
  expect(await hold()).toContain('1 payments may be recorded in the practice software already');
  await checkDuePayments(t.services);
  const { body: list } = await t.call(transactions.listOpenQuestions, {}, { as: office });
  expect(list.questions).toMatchObject([{ kind: 'recording', problem: null }]);
  expect(await t.owner.selectFrom('practiceSoftware.payment').select('id').execute()).toEqual([]);
});
