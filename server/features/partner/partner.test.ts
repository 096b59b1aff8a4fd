import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { partner, session, signIn } from '#contract/index.ts';
import type { PartnerDetails } from '#contract/partner.ts';
import { openTestApp } from '#testing/app/test-app.ts';
import { forgetOldApplications } from './jobs.ts';

const testApp = await openTestApp({ env: { TRUST_PROXY: '127.0.0.1' } });
afterAll(() => testApp.close());
const { db } = testApp.services;

let people = 0;
let email = '';
let addressLine1 = '';
beforeEach(() => {
  email = `practice${++people}@birch.test`;
  addressLine1 = `${people} Birch Lane`;
});

const params = { partner: 'chadis' };
const details = (given: Partial<PartnerDetails> = {}): PartnerDetails => ({
  addressLine1,
  city: 'Albany',
  state: 'NY',
  zip: '12207',
  name: 'Birch Pediatrics',
  email,
  emr: 'Epic',
  isChadisOnboarding: true,
  ...given,
});
const stranger = () => ({ as: null, headers: { 'x-forwarded-for': `198.51.100.${people % 250}` } });
/** Asks for a code; the half minute between two is over. */
const apply = async (given: Partial<PartnerDetails> = {}) => {
  await db.deleteFrom('rateLimit').execute();
  testApp.later(1);
  return testApp.call(partner.startPartnerSignUp, { params, body: details(given) }, stranger());
};
const codeTo = async (to = email) => {
  const mails = await db
    .selectFrom('dev.outbox')
    .select('body')
    .where('recipient', '=', to)
    .orderBy('id', 'desc')
    .execute();
  return /\b\d{6}\b/.exec(mails[0]?.body ?? '')?.[0] ?? 'none';
};
const confirm = (code: string, given: Partial<PartnerDetails> = {}) =>
  testApp.call(partner.confirmPartnerSignUp, { params, body: { ...details(given), code, bearer: true } }, stranger());
const signedUp = async (given: Partial<PartnerDetails> = {}) => {
  await apply(given);
  const { body } = await confirm(await codeTo(), given);
  return { token: body.token ?? '', session: body.session };
};
const officesOf = async (token: string) =>
  (await testApp.call(session.readSession, {}, { as: { token } })).body.offices;

test('the right code creates an unsigned office, and the person continues to sign', async () => {
  const { session, token } = await signedUp();
  expect(session.gate).toEqual({ to: '/chadis/signhipaa', because: 'agreement-missing' });
  expect(session.person?.email).toBe(email);
  expect(session.office?.officeName).toBe('Birch Pediatrics');
  const office = await testApp.owner
    .selectFrom('office')
    .selectAll()
    .where('id', '=', session.office?.id ?? '')
    .executeTakeFirstOrThrow();
  expect(office).toMatchObject({ onboardingType: 'chadis', timeZone: 'America/New_York', email, npiProvisional: true });
  expect(await officesOf(token)).toHaveLength(1);
});

test('without the right code there is no account and no office', async () => {
  await apply();
  const before = await testApp.owner.selectFrom('office').select('id').execute();
  const { status, body } = await confirm('000000' === (await codeTo()) ? '111111' : '000000');
  expect([status, body.code, body.title]).toEqual([400, 'wrong_code', 'Incorrect confimation code']);
  expect(await db.selectFrom('auth.identity').selectAll().where('value', '=', email).execute()).toEqual([]);
  expect(await testApp.owner.selectFrom('office').select('id').execute()).toHaveLength(before.length);
});

describe('an email that is in use', () => {
  test('a used email is refused only after the right code, and the code is used up', async () => {
    await testApp.addStaff({ name: 'Front', email }, [testApp.maple]);
    expect((await apply()).status).toBe(200);
    const code = await codeTo();
    const { status, body } = await confirm(code);
    expect([status, body.code, body.title]).toEqual([409, 'email_in_use', 'This mail is being used by another office']);
    expect((await confirm(code)).body.code).toBe('wrong_code');
  });

  test('a used email gets the same answers as any other before the right code', async () => {
    await testApp.addStaff({ name: 'Front', email }, [testApp.maple]);
    const known = await apply();
    email = `nobody${++people}@birch.test`;
    const unknown = await apply();
    expect(Object.keys(known.body)).toEqual(Object.keys(unknown.body));
    expect(known.status).toBe(unknown.status);
  });

  test('an account without an office may register', async () => {
    await testApp.addStaff({ name: 'Newcomer', email }, []);
    expect((await signedUp()).session.gate.to).toBe('/chadis/signhipaa');
  });

  test('an email is in use once the agreement is signed', async () => {
    const { session } = await signedUp();
    await testApp.owner
      .updateTable('office')
      .set({ agreementSignedAt: testApp.now() })
      .where('id', '=', session.office?.id ?? '')
      .execute();
    await apply();
    expect((await confirm(await codeTo())).body.code).toBe('email_in_use');
  });
});

describe('continuing on another device', () => {
  test('after the code, the same email and a new code lead to the same unsigned office', async () => {
    const first = await signedUp();
    const again = await signedUp({ name: 'Birch Pediatrics, again' });
    expect(again.session.office?.id).toBe(first.session.office?.id);
    expect(await officesOf(again.token)).toHaveLength(1);
  });

  test('before the code, a person who signs in with that email finds what they entered, and nobody else does', async () => {
    await apply({ name: 'Half Done Pediatrics' });
    const personId = await testApp.addStaff({ name: 'Half', email }, []);
    const mine = await testApp.call(
      partner.readPartnerApplication,
      { params },
      { as: { token: await testApp.signIn(personId) } },
    );
    expect(mine.body).toMatchObject({ name: 'Half Done Pediatrics', email });
    const theirs = await testApp.call(partner.readPartnerApplication, { params });
    expect([theirs.status, theirs.body]).toEqual([200, null]);
  });

  test('an unfinished location is saved for the same person until it is registered', async () => {
    const { token } = await signedUp();
    const half = details({ addressLine1: '9 Willow Road', city: '', name: 'Birch North', email: 'north@birch.test' });
    const as = { as: { token } };
    expect((await testApp.call(partner.savePartnerApplication, { params, body: half }, as)).body).toEqual({
      kept: true,
    });
    const open = () => testApp.call(partner.readPartnerApplication, { params }, as);
    expect((await open()).body).toMatchObject({ name: 'Birch North', city: '' });
    await testApp.call(partner.addPartnerLocation, { params, body: { ...half, city: 'Albany' } }, as);
    expect((await open()).body).toBeNull();
  });

  test('finished and two-month-old applications are deleted', async () => {
    await signedUp();
    const left = () => db.selectFrom('partnerApplication').select('email').where('email', '=', email).execute();
    expect(await left()).toEqual([]);
    email = `other${++people}@birch.test`;
    await apply();
    testApp.later(59 * 24 * 60);
    await forgetOldApplications(testApp.services);
    expect(await left()).toHaveLength(1);
    testApp.later(2 * 24 * 60);
    await forgetOldApplications(testApp.services);
    expect(await left()).toEqual([]);
  });
});

describe('another location', () => {
  test('a signed-in person adds a location without a code, and repeated submits add it once', async () => {
    const { token, session } = await signedUp();
    const other = { params, body: details({ addressLine1: '9 Willow Road', name: 'Birch Pediatrics North' }) };
    const made = await Promise.all(
      [1, 2, 3].map(() => testApp.call(partner.addPartnerLocation, other, { as: { token } })),
    );
    expect(made.map(({ status }) => status)).toEqual([200, 200, 200]);
    const ids = new Set(made.map(({ body }) => body.officeId));
    expect(ids.size).toBe(1);
    expect(ids.has(session.office?.id ?? '')).toBe(false);
    expect(await officesOf(token)).toHaveLength(2);
  });

  test('a signed-out person cannot add a location', async () => {
    const { status } = await testApp.call(partner.addPartnerLocation, { params, body: details() }, { as: null });
    expect(status).toBe(401);
  });
});

test('two parallel confirmations make one office', async () => {
  await apply();
  const code = await codeTo();
  const both = await Promise.all([confirm(code), confirm(code)]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 400]);
  const [right] = both.filter(({ status }) => status === 200);
  expect(await officesOf(right?.body.token ?? '')).toHaveLength(1);
});

test("a stranger who enters the practice's email in the meantime does not change what it registers", async () => {
  await apply();
  await apply({ name: 'Not Birch', city: 'Elsewhere' });
  const { body } = await confirm(await codeTo());
  expect(body.session.office?.officeName).toBe('Birch Pediatrics');
});

test("a sign-in code does not work for the partner's sign-up, nor the reverse", async () => {
  await testApp.call(signIn.requestCode, { body: { email } }, stranger());
  expect((await confirm(await codeTo())).body.code).toBe('wrong_code');
  await apply();
  const code = await codeTo();
  const answer = await testApp.call(signIn.verifyCode, { body: { email, code, bearer: true } }, stranger());
  expect([answer.status, answer.body.code]).toEqual([400, 'wrong_code']);
});

describe('errors of the partner’s form', () => {
  test.each([
    ['addressLine1', '', "Please enter your practice's address"],
    ['city', ' ', "Please enter your practice's city"],
    ['state', '', "Please select your practice's state"],
    ['zip', '12', "Please enter your practice's ZIP code"],
    ['name', '', 'Please enter the name of your practice'],
    ['email', 'a@b.c', 'Please enter your email address'],
    ['email', 'with space@birch.test', 'Please enter your email address'],
    ['emr', '', 'Please select the management software your practice uses'],
  ] as const)('%s %j', async (field, typed, message) => {
    const { status, body } = await apply({ [field]: typed });
    expect([status, body.code]).toEqual([400, 'registration_incomplete']);
    expect(body.current).toEqual({ errorList: [{ field, message }] });
    expect(await codeTo()).toBe('none');
  });
});

test('another partner is unknown', async () => {
  const { status } = await testApp.call(partner.readPartner, { params: { partner: 'other' } }, { as: null });
  expect(status).toBe(404);
});

test("the partner's brand comes from the database, and invalid parts fall back to the default", async () => {
  const brand = async () => (await testApp.call(partner.readPartner, { params }, { as: null })).body;
  expect(await brand()).toMatchObject({ name: 'CHADIS', logo: null });
  const save = (value: object) =>
    db
      .insertInto('globalSetting')
      .values({ name: 'partnerBrand', value: JSON.stringify(value) })
      .onConflict((known) => known.column('name').doUpdateSet({ value: JSON.stringify(value) }))
      .execute();
  await save({ name: 'Screens & Co', colors: ['#4a148c', '#311b92'], logo: 'https://evil.example/x.svg' });
  expect(await brand()).toEqual({ name: 'Screens & Co', colors: ['#4a148c', '#311b92'], logo: null });
  await save({ colors: ['#ffffff', '#fafafa'] });
  expect((await brand()).colors).not.toContain('#ffffff');
});
