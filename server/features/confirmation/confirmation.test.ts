import { afterAll, beforeAll, expect, test } from 'vitest';
import { confirmation, registration, session, sms } from '#contract/index.ts';
import { loadSample } from '#server/features/addresses/index.ts';
import { budgetOfDay } from '#server/kit/http/daily-budgets.ts';
import { rateLimitKey } from '#server/kit/http/rate-limits.ts';
import { openIdleTestApp } from '#testing/app/idle-test-app.ts';
import type { TestApp, TestOffice } from '#testing/app/test-app.ts';
import { mailOperator } from './jobs.ts';
import { operatorPageUrl } from './operator-link.ts';
import { limitedPractice, runConfirmationCommand } from '#testing/fixtures/limited-practices.ts';

const { testApp: t, wait } = await openIdleTestApp({ OPERATOR_EMAIL: 'operator@anteroom.test' });
let beside: TestApp;
const listed = { name: 'ELM FAMILY MEDICINE', otherName: null, addressLine1: '9 ELM ST', addressLine2: null };
const place = { city: 'TROY', state: 'NY', zip: '12180' };

beforeAll(async () => {
  const { openTestApp } = await import('#testing/app/test-app.ts');
  beside = await openTestApp({ beside: t });
  const row = (npi: string, phone: string) => ({ ...listed, ...place, npi, phone });
  await loadSample(t.url, () => [
    ...Array.from({ length: 30 }, (_, n) => row(npiAt(n), '2125550171')),
    row('1497758544', '2025550001'),
    row('1000000009', '2025550009'),
    row('1679576722', '9005550171'),
  ]);
});
afterAll(() => beside.close());

let npis = 0;
const npiAt = (n: number) => String(1_200_000_000 + n);
const limited = (given?: Parameters<TestApp['office']>[0]) => limitedPractice(t, given);
/** A limited practice registered with the NPPES entry of an NPI; those from `npiAt` all list the same phone. */
const fromNppes = (npi = npiAt(npis++)) => limited({ npi, addressId: npi, name: `Elm ${npi}` });
const sendCode = (as: TestOffice) => t.call(confirmation.sendConfirmationCode, {}, { as });
const tryCode = (as: TestOffice, code: string, process = t) =>
  process.call(confirmation.confirmByCode, { body: { code } }, { as });
const isConfirmed = async (as: TestOffice) => (await t.call(confirmation.readConfirmation, {}, { as })).body.confirmed;
const codeSentTo = async (phone: string) => {
  const { rows } = await t.services.pool.query<{ body: string }>(
    'select body from dev.outbox where recipient = $1 order by at desc, id desc limit 1',
    [phone],
  );
  return /\d{6}/.exec(rows[0]?.body ?? '')?.[0] ?? '';
};
const confirmations = async (office: TestOffice) =>
  (await t.auditEntries(office)).filter(({ action, outcome }) => action === 'office.confirm' && outcome === 'done');
const run = (name: string, ...operands: string[]) => runConfirmationCommand(t, name, ...operands);

test('a newly registered practice is limited; in the demo it is confirmed at once', async () => {
  const input = {
    addressLine1: '12 Birch Street',
    city: 'Albany',
    state: 'NY',
    zip: '12207',
    email: 'desk@birch.test',
    itContact: 'Ann',
    emr: 'Epic',
    patientSize: '1-500',
    agesTreated: ['Children'],
  };
  const personId = await t.addStaff({ name: 'Ann Lee', email: 'ann@birch.test' }, []);
  const token = await t.signIn(personId);
  const register = async (name: string) => {
    const { status, body } = await t.call(
      registration.registerPractice,
      { params: { formId: t.services.id() }, body: { ...input, name } },
      { as: { token } },
    );
    expect(status, JSON.stringify(body)).toBe(200);
    return t.call(session.readSession, {}, { as: { token }, headers: { 'x-office': body.strapiId } });
  };
  t.env.demo = true;
  expect((await register('Birch Demo')).body.office).toMatchObject({ officeName: 'Birch Demo', confirmed: true });
  t.env.demo = false;
  expect((await register('Birch Real')).body.office).toMatchObject({ officeName: 'Birch Real', confirmed: false });
  t.env.demo = true;
});

test('the code texted to the phone in NPPES confirms the practice', async () => {
  const office = await fromNppes();
  const { body } = await t.call(confirmation.readConfirmation, {}, { as: office });
  expect(body).toEqual({ confirmed: false, phoneEnding: '71', textsPerDay: 50, hasTextNumber: true });
  expect((await sendCode(office)).status).toBe(200);
  const code = await codeSentTo('+12125550171');
  expect((await tryCode(office, code)).body).toMatchObject({ confirmed: true });
  expect(await isConfirmed(office)).toBe(true);
  expect(await confirmations(office)).toMatchObject([{ details: { by: 'phone' } }]);
  expect((await sendCode(office)).body.code).toBe('already_confirmed');
  expect((await tryCode(office, code)).body.code).toBe('wrong_code');
});

test("confirming fails with another practice's code, and without a requested code", async () => {
  wait(3_600);
  const [office, other] = [await fromNppes(), await fromNppes()];
  await sendCode(other);
  const code = await codeSentTo('+12125550171');
  expect((await tryCode(office, code)).body.code).toBe('wrong_code');
  expect(await isConfirmed(office)).toBe(false);
});

test('a confirmation code is valid for 180 seconds', async () => {
  wait(3_600);
  const office = await fromNppes();
  await sendCode(office);
  const code = await codeSentTo('+12125550171');
  wait(181);
  expect((await tryCode(office, code)).body.code).toBe('code_expired');
  expect(await isConfirmed(office)).toBe(false);
});

test('40 parallel guesses: five are checked, then even the right code is refused', async () => {
  wait(3_600);
  const office = await fromNppes();
  await sendCode(office);
  const code = await codeSentTo('+12125550171');
  const wrong = (n: number) => String((Number(code) + n + 1) % 1_000_000).padStart(6, '0');
  const replies = await Promise.all(
    Array.from({ length: 40 }, (_, n) => tryCode(office, wrong(n), n % 2 ? t : beside)),
  );
  const codes = replies.map(({ body }) => body.code);
  expect(codes.filter((one) => one === 'wrong_code')).toHaveLength(5);
  expect(codes.filter((one) => one === 'code_used_up')).toHaveLength(35);
  expect((await tryCode(office, code)).body.code).toBe('code_used_up');
  expect(await isConfirmed(office)).toBe(false);
});

test('confirmation codes are limited per practice and per phone', async () => {
  wait(86_400);
  const office = await fromNppes();
  expect((await sendCode(office)).status).toBe(200);
  expect((await sendCode(office)).body.code).toBe('too_many_tries');
  for (let n = 0; n < 4; n++) {
    wait(61);
    expect((await sendCode(office)).status).toBe(200);
  }
  wait(61);
  expect((await sendCode(office)).body.code).toBe('too_many_tries');
  for (let n = 0; n < 5; n++) expect((await sendCode(await fromNppes())).status).toBe(200);
  expect((await sendCode(await fromNppes())).body.code).toBe('too_many_tries');
});

test('sending a code to a listed number that cannot get texts answers listed_phone_refused', async () => {
  const office = await fromNppes('1497758544');
  expect((await sendCode(office)).body.code).toBe('listed_phone_refused');
  expect(await isConfirmed(office)).toBe(false);
});

test.each([
  ['a number outside the United States', () => fromNppes('1679576722')],
  ['an NPI that NPPES does not list', () => fromNppes('1114011111')],
  ['an NPI typed without choosing its NPPES entry', () => limited({ npi: npiAt(npis++), name: 'Elm typed' })],
  ['a provisional NPI', () => limited({ npi: '9000000015', npiProvisional: true, name: 'Elm provisional' })],
])('no code can be sent to %s; only the operator can confirm', async (_what, make) => {
  const office = await make();
  expect((await t.call(confirmation.readConfirmation, {}, { as: office })).body.phoneEnding).toBeNull();
  expect((await sendCode(office)).body.code).toBe('no_listed_phone');
});

test('the operator lists limited practices and confirms one by its NPI', async () => {
  const office = await limited({ npi: '1992799999', name: 'Willow Dental' });
  expect((await run('office limited')).find((line) => line.includes('Willow Dental'))).toMatch(/^1992799999 .*signed/);
  expect(await run('office confirm', '1992799999')).toEqual(['Confirmed Willow Dental.']);
  expect(await run('office confirm', '1992799999')).toEqual(['Willow Dental is already confirmed.']);
  expect(await confirmations(office)).toMatchObject([{ actor: 'operator' }]);
  expect((await run('office limited')).some((line) => line.includes('Willow Dental'))).toBe(false);
});

test('after the operator limits a practice again, an old code does not confirm it but a new one does', async () => {
  wait(86_400);
  const npi = npiAt(npis++);
  const office = await t.office({ npi, addressId: npi, name: 'Juniper Clinic' });
  const before = await isConfirmed(t.maple);
  expect(await run('office limit', npi)).toEqual(['Juniper Clinic is limited until it is confirmed again.']);
  expect(await run('office limit', npi)).toEqual(['Juniper Clinic is already limited.']);
  expect(await isConfirmed(office)).toBe(false);
  expect(await isConfirmed(t.maple)).toBe(before);
  const limits = (await t.auditEntries(office)).filter(({ action }) => action === 'office.limit');
  expect(limits).toMatchObject([{ actor: 'operator' }]);

  expect((await sendCode(office)).status).toBe(200);
  const old = await codeSentTo('+12125550171');
  await run('office confirm', npi);
  await run('office limit', npi);
  expect((await tryCode(office, old)).body.code).toBe('wrong_code');
  wait(61);
  expect((await sendCode(office)).status).toBe(200);
  expect((await tryCode(office, await codeSentTo('+12125550171'))).status).toBe(200);
  expect(await isConfirmed(office)).toBe(true);
});

test('when the operator limits a practice, its texts that wait are held and cannot be released; those of another practice go out', async () => {
  const office = await t.office({ name: 'Poplar Clinic' });
  const other = await t.office({ name: 'Larch Clinic' });
  for (const as of [office, other]) {
    const deliveryOptions = [1, 2].map((n) => ({
      phoneNumber: `+164655587${as === office ? '1' : '2'}${n}`,
      sendAt: new Date(t.now().getTime() + 3_600_000).toISOString(),
    }));
    expect((await t.call(sms.sendSms, { body: { message: 'Cheap pills', deliveryOptions } }, { as })).status).toBe(200);
  }
  expect(await run('office limit', office.npi)).toEqual([
    'Poplar Clinic is limited until it is confirmed again. 2 of its texts that waited are held.',
  ]);
  const states = async (as: TestOffice) => (await t.texts(as)).map(({ state }) => state);
  expect(await states(office)).toEqual(['held', 'held']);
  expect(await states(other)).toEqual(['queued', 'queued']);

  const [held] = await t.texts(office);
  const release = () => t.call(sms.releaseText, { params: { textId: held?.id ?? '' } }, { as: office });
  expect((await release()).body.code).toBe('limited_own_words');
  await run('office confirm', office.npi);
  expect((await release()).status).toBe(200);
});

test('the operator gets one email per practice once it has signed, with a link to the confirmation page', async () => {
  const unsigned = await limited({ npi: '1881777771', name: 'Unsigned Clinic', signed: false });
  const office = await limited({ npi: '1881777772', name: '<b>Aspen</b> Clinic', refCode: 'ELM-2026' });
  await Promise.all([mailOperator(t.services), mailOperator(beside.services)]);
  for (let n = 0; n < 20 && (await mailOperator(t.services)); n++);
  const { rows } = await t.services.pool.query<{ body: string }>(
    `select body from dev.outbox where recipient = 'operator@anteroom.test' and body like '%NPI 188177777%'`,
  );
  expect(rows).toHaveLength(1);
  expect(rows[0]?.body).toContain('1881777772');
  expect(rows[0]?.body).toContain('Referral code: ELM-2026');
  expect(unsigned.npi).toBe('1881777771');

  const link = new URL(/https?:\/\/\S*\/operator\/practices\?\S+/.exec(rows[0]?.body ?? '')?.[0] ?? '');
  const page = await t.app.inject({ url: link.pathname + link.search });
  expect(page.statusCode).toBe(200);
  expect(page.headers['x-robots-tag']).toContain('noindex');
  // Otherwise a browser sends "Origin: null" with the button, and the confirmation is refused.
  expect(page.headers['referrer-policy']).toBe('same-origin');
  expect(page.body).toContain('&#60;b&#62;Aspen&#60;/b&#62; Clinic');
  const action = new RegExp(`action="([^"]*${office.id}[^"]*)"`).exec(page.body)?.[1]?.replaceAll('&#38;', '&') ?? '';
  const press = (url: string, headers = {}) =>
    t.app.inject({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin', ...headers },
      payload: '',
    });
  expect((await press(action, { 'sec-fetch-site': 'cross-site' })).statusCode).toBe(403);
  expect((await press(action.replace(/mac=.{4}/, 'mac=AAAA'))).statusCode).toBe(403);
  expect((await press(action.replace(office.id, unsigned.id))).statusCode).toBe(403);
  expect(await isConfirmed(office)).toBe(false);
  const pressed = await press(action);
  expect(pressed.statusCode).toBe(200);
  expect(pressed.body).toContain('Clinic is confirmed.');
  expect(await isConfirmed(office)).toBe(true);
});

test("the operator's page opens only from our signed link, for at most a week", async () => {
  const { pathname, search } = new URL(operatorPageUrl(t.services));
  const status = async (url: string) => (await t.app.inject({ url })).statusCode;
  expect(await status(pathname)).toBe(403);
  expect(await status(`${pathname}?until=9999999999&mac=AAAA`)).toBe(403);
  expect(await status(pathname + search)).toBe(200);
  wait(7 * 86_400);
  expect(await status(pathname + search)).toBe(403);
});

test('a code that the day’s budget refuses costs the practice and the phone nothing; codes to sign in do not use it up', async () => {
  const office = await fromNppes('1000000009');
  const env = t.services.env as { demo: boolean };
  const points = t.env.codesPerDay;
  const use = async (name: string) => {
    const [limit, key] = budgetOfDay({ name, points }, t.now());
    await t.services.limits.takePoints(limit, key, points);
    return () => t.services.limits.giveBack(limit, key, points);
  };
  env.demo = false;
  try {
    const giveBack = await use('day-confirmation-codes');
    expect(await sendCode(office)).toMatchObject({ status: 429, body: { code: 'no_codes_now' } });
    const keys = [
      rateLimitKey({ name: 'confirmation-office', points: 0, seconds: 0 }, office.id),
      rateLimitKey({ name: 'confirmation-phone', points: 0, seconds: 0 }, '+12025550009'),
    ];
    const rows = await t.owner.selectFrom('rateLimit').select('points').where('key', 'in', keys).execute();
    expect(rows.map(({ points }) => points)).toEqual([0, 0]);
    await giveBack();
    await use('day-texted-codes');
    await use('day-emailed-codes');
    await t.owner.deleteFrom('rateLimit').where('key', 'like', 'confirmation-pause:%').execute();
    expect(await sendCode(office)).toMatchObject({ status: 200 });
  } finally {
    env.demo = true;
  }
});
