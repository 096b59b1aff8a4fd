import { afterAll, beforeAll, expect, test } from 'vitest';
import { emailLimits } from '#contract/email.ts';
import { registration, team } from '#contract/index.ts';
import { sendDueReminders } from '#server/features/agreement/reminders.ts';
import { mailClaims } from '#server/features/registration/npi-claim-emails.ts';
import { rateLimitKey, type Limit } from '#server/kit/http/rate-limits.ts';
import { EmailRefused } from '#server/providers/email/port.ts';
import { openTestApp, type TestApp, type TestOffice } from '#testing/app/test-app.ts';

let t: TestApp;
beforeAll(async () => void (t = await openTestApp()));
afterAll(() => t.close());

const invite = (as: TestOffice, email: string) => t.call(team.inviteColleague, { body: { email } }, { as });
const mailsTo = async (to: string) =>
  (await t.services.pool.query<{ body: string }>('select body from dev.outbox where recipient = $1', [to])).rows;

/** As if this much of a budget had been used up a moment ago; emails of a job are counted by the machine's clock, others by the app's. */
const use = async ({ name, points, seconds }: Limit, key: string, used = points) => {
  const expire = Math.max(t.now().getTime(), Date.now()) + seconds * 1000;
  await t.services.pool.query(
    'insert into rate_limit (key, points, expire) values ($1, $2, $3) on conflict (key) do update set points = $2, expire = $3',
    [rateLimitKey({ name, points, seconds }, key), used, expire],
  );
};
const pointsOf = async (limit: Limit, key: string) => {
  const { rows } = await t.services.pool.query<{ points: number }>('select points from rate_limit where key = $1', [
    rateLimitKey(limit, key),
  ]);
  return rows[0]?.points ?? 0;
};
const remove = (as: TestOffice, personId: string) => t.call(team.removeColleague, { params: { personId } }, { as });

test('an unconfirmed practice emails at most ten people a day; a refusal leaves no invitation', async () => {
  const office = await t.office({ confirmedBy: null });
  const replies = await Promise.all(Array.from({ length: 15 }, (_, n) => invite(office, `person-${n}@limited.test`)));
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(emailLimits.perLimitedOffice.points);
  const refused = replies.filter(({ status }) => status !== 200);
  expect(new Set(refused.map(({ body }) => body.code))).toEqual(new Set(['too_many_emails']));
  expect(refused[0]?.headers['retry-after']).toBe('86400');
  const { body } = await t.call(team.listTeam, {}, { as: office });
  expect(body.invitations).toHaveLength(emailLimits.perLimitedOffice.points);
  expect((await invite(t.maple, 'person-1@maple.test')).status).toBe(200);
});

const inviteAgain = (as: TestOffice, invitationId: string) =>
  t.call(team.resendInvitation, { params: { invitationId } }, { as });
/** Invites the address as often as the practice may in a day. */
const inviteAsOftenAsAllowed = async (as: TestOffice, to: string) => {
  const { body } = await invite(as, to);
  for (let n = 1; n < emailLimits.perOfficeAndRecipient.points; n++)
    expect((await inviteAgain(as, body.id)).status).toBe(200);
  return body.id;
};
const { perRecipient, perOfficeAndRecipient } = emailLimits;

test('a practice sends an address a few emails a day, and then others still get theirs', async () => {
  const office = await t.office();
  const to = 'often@elsewhere.test';
  const refused = await inviteAgain(office, await inviteAsOftenAsAllowed(office, to));
  expect([refused.status, refused.body.code]).toEqual([429, 'too_many_emails_to_address']);
  expect(refused.body.title).toBe('This email address has gotten too many emails. Nothing was sent.');
  expect(refused.headers['retry-after']).toBe('86400');
  expect(await mailsTo(to)).toHaveLength(perOfficeAndRecipient.points);
  expect((await invite(office, 'other-than-often@elsewhere.test')).status).toBe(200);
  t.later(24 * 60 + 1);
  for (const { personId } of [office, t.maple]) await t.prove(personId);
  expect((await invite(office, to)).status).toBe(200);
});

test('practices that have used up an address’s emails of a day do not keep another from sending its first', async () => {
  const to = 'nurse@elsewhere.test';
  for (let n = 0; n < perRecipient.points / perOfficeAndRecipient.points; n++)
    await inviteAsOftenAsAllowed(await t.office({ confirmedBy: null }), to);
  expect(await mailsTo(to)).toHaveLength(perRecipient.points);
  const invited = await invite(t.maple, to);
  expect(invited.status).toBe(200);
  expect((await invite(await t.office({ confirmedBy: null }), to)).status).toBe(200);
  expect(await mailsTo(to)).toHaveLength(perRecipient.points + 2);
  const again = await inviteAgain(t.maple, invited.body.id);
  expect([again.status, again.body.code]).toEqual([429, 'too_many_emails_to_address']);
});

test('beyond an address’s limit all unconfirmed practices together send it few first emails; a confirmed one sends its own', async () => {
  const to = 'flooded@elsewhere.test';
  await use(perRecipient, to);
  await use(emailLimits.limitedFirst, to, emailLimits.limitedFirst.points - 1);
  const newcomers = [await t.office({ confirmedBy: null }), await t.office({ confirmedBy: null })] as const;
  expect((await invite(newcomers[0], to)).status).toBe(200);
  expect((await invite(newcomers[1], to)).body.code).toBe('too_many_emails_to_address');
  expect((await invite(await t.office(), to)).status).toBe(200);
});

test('an email of a job counts against its address’s limit; the job tries a refused one again later', async () => {
  const mail = { to: 'other@elsewhere.test', subject: 's', text: 't' };
  for (let n = 0; n < emailLimits.perRecipient.points; n++)
    await t.services.providers.email.send({ ...mail, reference: `${n}` });
  await expect(t.services.providers.email.send({ ...mail, reference: 'more' })).rejects.toThrow(EmailRefused);
});

test("an invitation shows the inviter's and the practice's names as one short line without web addresses", async () => {
  const office = await t.office({
    name: `Win at https://evil.example/now ${'x'.repeat(150)}`,
    staffName: `Anteroom Support\n\nYour account is locked: www.evil.example ${'y'.repeat(150)}`,
  });
  expect((await invite(office, 'bounded@elsewhere.test')).status).toBe(200);
  const [mail] = await mailsTo('bounded@elsewhere.test');
  expect(mail?.body).toContain('Anteroom Support Your account is locked:');
  expect(mail?.body).not.toMatch(/evil\.example|x{81}|y{81}|Support\s*\n/);
});

test.each([
  ['by email', { email: 'one-more@elsewhere.test' }, 'too_many_emails'],
  ['by text', { phone: '+12025550177' }, 'too_many_tries'],
])('a practice that has sent its invitations of an hour invites nobody %s, nor again', async (_how, body, code) => {
  const office = await t.office();
  const open = await t.call(
    team.inviteColleague,
    { body: 'email' in body ? { email: 'open@elsewhere.test' } : { phone: '+12025550178' } },
    { as: office },
  );
  await use(emailLimits.perOffice, office.id);
  const refused = [
    await t.call(team.inviteColleague, { body }, { as: office }),
    await t.call(team.resendInvitation, { params: { invitationId: open.body.id } }, { as: office }),
  ];
  for (const reply of refused) {
    expect([reply.status, reply.body.code]).toEqual([429, code]);
    expect(Number(reply.headers['retry-after'])).toBeGreaterThan(3_000);
  }
  const { body: listed } = await t.call(team.listTeam, {}, { as: office });
  expect(listed.invitations).toHaveLength(1);
});

test('inviting the same address again counts against its daily limit', async () => {
  const office = await t.office();
  const to = 'again@elsewhere.test';
  const { body } = await invite(office, to);
  await use(emailLimits.perRecipient, to);
  const again = await inviteAgain(office, body.id);
  expect([again.status, again.body.code]).toEqual([429, 'too_many_emails_to_address']);
  expect(await mailsTo(to)).toHaveLength(1);
});

test('parallel invitations at the hourly limit: exactly one is sent', async () => {
  const office = await t.office();
  await use(emailLimits.perOffice, office.id, emailLimits.perOffice.points - 1);
  const replies = await Promise.all(Array.from({ length: 8 }, (_, n) => invite(office, `last-${n}@elsewhere.test`)));
  expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(7).fill(429)]);
});

test('the email to a removed colleague counts against both limits and is skipped beyond them', async () => {
  for (const [limit, keyFor] of [
    [emailLimits.perOffice, (office: TestOffice) => office.id],
    [perOfficeAndRecipient, (office: TestOffice) => `${office.id} luis-${office.npi}@maple.test`],
  ] as const) {
    const office = await t.office();
    const email = `luis-${office.npi}@maple.test`;
    const luis = await t.addStaff({ name: 'Luis Ortega', email }, [office]);
    const mina = await t.addStaff({ name: 'Mina Castro', email: `mina-${office.npi}@maple.test` }, [office]);
    expect((await remove(office, mina)).status).toBe(200);
    expect(await mailsTo(`mina-${office.npi}@maple.test`)).toHaveLength(1);
    expect(await pointsOf(emailLimits.perOffice, office.id)).toBe(1);
    await use(limit, keyFor(office));
    expect((await remove(office, luis)).body).toEqual({ removed: true });
    expect(await mailsTo(email)).toEqual([]);
  }
});

test('requests to join have their own email limit and do not use up the practice’s', async () => {
  const office = await t.office();
  const asks = async (n: number) => {
    const personId = await t.addStaff({ name: 'Nora', email: `asks-${office.npi}-${n}@elsewhere.test` }, []);
    const as = { token: await t.signIn(personId) };
    expect((await t.call(registration.askToJoin, { body: { npi: office.npi } }, { as })).body).toEqual({ asked: true });
    await mailClaims(t.services);
  };
  const asked = async () => (await mailsTo(`staff-${office.npi}@maple.test`)).filter(({ body }) => /asks-/.test(body));
  await asks(1);
  expect(await asked()).toHaveLength(1);
  expect(await pointsOf(emailLimits.perOffice, office.id)).toBe(0);
  await use(emailLimits.aboutOffice, office.id);
  await asks(2);
  expect(await asked()).toHaveLength(1);
  expect((await invite(office, `free-${office.npi}@elsewhere.test`)).status).toBe(200);
  await use(emailLimits.aboutOffice, office.id, 0);
  t.later(3);
  await mailClaims(t.services);
  expect(await asked()).toHaveLength(2);
});

test('an agreement reminder waits when the limit of emails about the practice is reached', async () => {
  const office = await t.office({ signed: false });
  await use(emailLimits.aboutOffice, office.id);
  t.later(6 * 24 * 60);
  await sendDueReminders(t.services);
  const reminders = () => mailsTo(`staff-${office.npi}@maple.test`);
  expect(await reminders()).toEqual([]);
  await use(emailLimits.aboutOffice, office.id, 0);
  t.later(11);
  await sendDueReminders(t.services);
  expect(await reminders()).toHaveLength(1);
});
