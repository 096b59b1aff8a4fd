/** Whoever texts one number at the same moment takes the rows of the limits in one order, so that they wait for one another and none fails. */
import { afterAll, expect, test } from 'vitest';
import { queue, sms } from '#contract/index.ts';
import { standardSmsTexts } from '#contract/sms.ts';
import { textLimits } from '#contract/texting.ts';
import { slotOf } from '#server/kit/http/daily-budgets.ts';
import { rateLimitKey } from '#server/kit/http/rate-limits.ts';
import { openTestApp, type TestOffice } from '#testing/app/test-app.ts';
import { useTextLimit } from '#testing/fixtures/texts.ts';

const t = await openTestApp();
afterAll(() => t.close());

const name = 'Elm Clinic';
const limited = () => t.office({ name, confirmedBy: null });
const soon = () => new Promise((resolve) => setTimeout(resolve, 200));
const { perNumber, perNumberOfUnconfirmed } = textLimits;

/** Another practice that counts in the same row of the day's segments. */
async function besideInSlot(office: TestOffice): Promise<TestOffice> {
  const other = await limited();
  return slotOf(other.id) === slotOf(office.id) ? other : besideInSlot(office);
}

/** An invitation waits for a limit's row of the number; then a list to the same number starts, and the row is released. */
async function inviteWhileListStarts(inviting: TestOffice, listing: TestOffice, phone: string, row: [string, string]) {
  const visit = await t.visit({ office: inviting, phone });
  if (listing !== inviting) await t.visit({ office: listing, phone });
  const { username: another } = await t.visit({ office: listing });
  await useTextLimit(t, ...row, 1);
  const client = await t.services.pool.connect();
  try {
    await client.query('begin');
    const key = rateLimitKey({ name: row[0], points: 0, seconds: 0 }, row[1]);
    await client.query('select from rate_limit where key = $1 for update', [key]);
    const invite = t.call(queue.moveVisit, { body: { id: visit.id, action: 'INVITED' } }, { as: inviting });
    await soon();
    const message = standardSmsTexts(name, `${t.env.publicUrl}/c/${listing.npi}`).en;
    const deliveryOptions = [{ phoneNumber: phone }, { phoneNumber: another }];
    const list = t.call(sms.sendSms, { body: { message, deliveryOptions } }, { as: listing });
    await soon();
    await client.query('commit');
    return await Promise.all([invite, list]);
  } finally {
    client.release();
  }
}

test('two practices that count in one row text the same number: both succeed', async () => {
  const office = await limited();
  const phone = '+12125550141';
  const row: [string, string] = [perNumberOfUnconfirmed.name, phone];
  const [invite, list] = await inviteWhileListStarts(office, await besideInSlot(office), phone, row);
  expect(invite).toMatchObject({ status: 200, body: { statusCode: 'INVITED' } });
  expect(list).toMatchObject({ status: 200, body: { accepted: 2 } });
});

test.each([
  ['all practices’', perNumberOfUnconfirmed.name, '+12125550142'],
  ['its own', perNumber.name, '+12125550143'],
])('one practice invites and sends a list at %s limit of a number: both succeed', async (_, limit, phone) => {
  const office = await limited();
  const key = limit === perNumber.name ? `${office.id} ${phone}` : phone;
  const [invite, list] = await inviteWhileListStarts(office, office, phone, [limit, key]);
  expect(invite).toMatchObject({ status: 200, body: { statusCode: 'INVITED' } });
  expect(list).toMatchObject({ status: 200, body: { accepted: 2 } });
});
