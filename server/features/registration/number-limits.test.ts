import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { confirmation, queue } from '#contract/index.ts';
import { registerPractice } from '#contract/practice/registration.ts';
import { confirmOffice } from '#server/features/confirmation/confirm-practice.ts';
import { rateLimitKey } from '#server/kit/http/rate-limits.ts';
import { openTestApp, type TestApp, type TestOffice } from '#testing/app/test-app.ts';
import { openTwilio, type TwilioStandIn } from '#testing/stand-ins/twilio.ts';
import { rentMissingNumbers } from './jobs.ts';
import { confirmedWithoutNumber } from './sql.ts';
import { rentalLimits } from './text-number.ts';

let t: TestApp;
let twilio: TwilioStandIn;
beforeAll(async () => {
  twilio = await openTwilio({ now: () => new Date() });
  const env = { ...twilio.env, NODE_ENV: 'production', TRUST_PROXY: '127.0.0.1', LOG_LEVEL: 'silent' };
  t = await openTestApp({ env });
});
afterAll(async () => {
  await t.close();
  await twilio.close();
});

let area = 301;
beforeEach(async () => {
  area++;
  twilio.settings.forSale = Array.from({ length: 30 }, (_, i) => `+1${area}5553${100 + i}`);
  twilio.calls.length = 0;
  await t.services.pool.query('delete from rate_limit');
});
const bought = () => twilio.calls.filter(({ operation }) => operation === 'buyNumber').length;

let practices = 0;
async function register(network: string): Promise<TestOffice & { textNumber: string | null }> {
  const n = ++practices;
  const body = {
    name: `Willow ${n} Pediatrics`,
    email: 'front@willow.test',
    addressLine1: `${n} Willow Street`,
    city: 'Albany',
    state: 'NY',
    zip: '12207',
    itContact: 'it@willow.test',
    emr: 'AthenaOne',
    agesTreated: ['Children'],
    patientSize: '501-1000',
  };
  const personId = await t.addStaff({ name: 'Stranger', email: `stranger-${n}@willow.test` }, []);
  const token = await t.signIn(personId);
  const params = { formId: `form-${n}-000000` };
  const headers = { 'x-forwarded-for': network };
  const { status, body: made } = await t.call(registerPractice, { params, body } as never, { as: { token }, headers });
  expect(status).toBe(200);
  const office = { ...t.maple, id: made.strapiId, npi: made.npi, token, personId };
  await t.owner.updateTable('office').set({ agreementSignedAt: t.now() }).where('id', '=', office.id).execute();
  return { ...office, textNumber: await numberOf(office) };
}
const numberOf = (office: TestOffice) =>
  t.inOffice(office, async (tx) => (await tx.selectFrom('office').select('textNumber').executeTakeFirstOrThrow()).textNumber); // prettier-ignore
const useUpAll = () =>
  t.services.pool.query('insert into rate_limit (key, points, expire) values ($1, $2, $3)', [
    rateLimitKey(rentalLimits.all, 'all'),
    rentalLimits.all.points,
    t.now().getTime() + 86_400_000,
  ]);
const confirm = (office: TestOffice) => {
  const scope = t.scopeOf(office);
  return scope.transaction((tx) => confirmOffice(tx, scope, 'operator'));
};

test('one network rents five numbers a day, its sixth practice registers without one, and another network rents one', async () => {
  const here = [];
  for (let n = 0; n < 6; n++) here.push((await register('198.51.100.7')).textNumber !== null);
  expect(here).toEqual([true, true, true, true, true, false]);
  expect(bought()).toBe(5);
  expect((await register('198.51.100.8')).textNumber).not.toBeNull();
});

test('a network beyond its limit takes nothing from the numbers of everybody', async () => {
  for (let n = 0; n < 8; n++) await register('198.51.100.9');
  const { rows } = await t.services.pool.query<{ points: number }>('select points from rate_limit where key = $1', [
    rateLimitKey(rentalLimits.all, 'all'),
  ]);
  expect(rows).toEqual([{ points: 5 }]);
});

test('when strangers used up the numbers of a day, practices register without one, and 10 at once as well', async () => {
  await useUpAll();
  const offices = await Promise.all(Array.from({ length: 10 }, (_, n) => register(`198.51.101.${n}`)));
  expect(new Set(offices.map(({ textNumber }) => textNumber))).toEqual(new Set([null]));
  expect(bought()).toBe(0);
});

test('a practice without a number reports its texts as failed, and another practice’s text is queued', async () => {
  await useUpAll();
  const office = await register('198.51.102.1');
  const { body } = await t.call(confirmation.readConfirmation, {}, { as: office });
  expect(body).toMatchObject({ confirmed: false, hasTextNumber: false });
  for (const of of [office, t.maple]) {
    const visit = await t.visit({ office: of });
    const moved = await t.call(queue.moveVisit, { body: { id: visit.id, action: 'INVITED' } }, { as: of });
    expect(moved).toMatchObject({ status: 200, body: { statusCode: 'INVITED' } });
  }
  expect(await t.texts(office)).toMatchObject([{ state: 'failed', errorClass: 'sender', fromPhone: null }]);
  expect(await t.texts(t.maple)).toMatchObject([{ state: 'queued' }]);
});

test('a practice gets its number once it is confirmed, whatever strangers used up, and the others get none', async () => {
  await useUpAll();
  const [office, other] = [await register('198.51.103.1'), await register('198.51.103.2')];
  await rentMissingNumbers(t.services);
  expect([await numberOf(office), await numberOf(other)]).toEqual([null, null]);
  await confirm(office);
  twilio.trouble('buyNumber', { status: 500 });
  twilio.trouble('listNumbers', { status: 500 }, { status: 500 }, { status: 500 });
  await Promise.all([rentMissingNumbers(t.services), rentMissingNumbers(t.services)]);
  twilio.trouble('buyNumber');
  twilio.trouble('listNumbers');
  await rentMissingNumbers(t.services);
  const number = await numberOf(office);
  expect(number !== null && twilio.numbers.has(number)).toBe(true);
  expect(await numberOf(other)).toBeNull();
  const visit = await t.visit({ office });
  await t.call(queue.moveVisit, { body: { id: visit.id, action: 'INVITED' } }, { as: office });
  expect(await t.texts(office)).toMatchObject([{ state: 'queued', fromPhone: number }]);
});

test('every practice that waits for a number has its turn, although ten others never get one', async () => {
  const waiting = [];
  for (let n = 0; n < 12; n++) waiting.push(await t.office({ confirmedBy: 'operator', textNumber: null }));
  const seen = new Set<string>();
  for (let round = 0; round < 40; round++) for (const id of await confirmedWithoutNumber(t.services.pool)) seen.add(id);
  expect(waiting.filter(({ id }) => !seen.has(id))).toEqual([]);
});
