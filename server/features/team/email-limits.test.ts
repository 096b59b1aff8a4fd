import { afterAll, beforeAll, expect, test } from 'vitest';
import { team } from '#contract/index.ts';
import { EmailRefused, emailLimits } from '#server/providers/email/port.ts';
import { openHouse, type TestHouse, type TestOffice } from '#testing/house.ts';

let t: TestHouse;
beforeAll(async () => void (t = await openHouse()));
afterAll(() => t.close());

const invite = (as: TestOffice, email: string) => t.call(team.inviteColleague, { body: { email } }, { as });
const mailsTo = async (to: string) =>
  (await t.house.pool.query<{ body: string }>('select body from dev.outbox where recipient = $1', [to])).rows;

test('a practice that nobody confirmed emails ten people a day; the refusal leaves no invitation', async () => {
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

test('one address gets so many emails a day of all practices together', async () => {
  const to = 'victim@elsewhere.test';
  const codes = [];
  for (let n = 0; n < emailLimits.perRecipient.points + 2; n++)
    codes.push((await invite(await t.office(), to)).body.code);
  expect(codes.filter((code) => code === 'too_many_emails')).toHaveLength(2);
  expect(await mailsTo(to)).toHaveLength(emailLimits.perRecipient.points);
  // Nor by an email that no person waits for; a job tries it again later.
  const mail = { to: 'other@elsewhere.test', subject: 's', text: 't' };
  for (let n = 0; n < emailLimits.perRecipient.points; n++)
    await t.house.providers.email.send({ ...mail, reference: `${n}` });
  await expect(t.house.providers.email.send({ ...mail, reference: 'more' })).rejects.toThrow(EmailRefused);
});

test("an invitation holds the inviter's and the practice's names as one short line without web addresses", async () => {
  const office = await t.office({
    name: `Win at https://evil.example/now ${'x'.repeat(150)}`,
    staffName: `Anteroom Support\n\nYour account is locked: www.evil.example ${'y'.repeat(150)}`,
  });
  expect((await invite(office, 'bounded@elsewhere.test')).status).toBe(200);
  const [mail] = await mailsTo('bounded@elsewhere.test');
  expect(mail?.body).toContain('Anteroom Support Your account is locked:');
  expect(mail?.body).not.toMatch(/evil\.example|x{81}|y{81}|Support\s*\n/);
});
