import { afterAll, expect, test } from 'vitest';
import { merchant, session } from '#contract/index.ts';
import { noMerchant } from '#server/providers/merchant/off.ts';
import { openTestApp, type TestOffice } from '#testing/app/test-app.ts';

const testApp = await openTestApp();
afterAll(() => testApp.close());

const athena = (given: Parameters<typeof testApp.office>[0] = {}) => testApp.office({ emr: 'AthenaOne', ...given });
const gateOf = async (office: TestOffice) =>
  (await testApp.call(session.readSession, {}, { as: office })).body.gate.because;
const wanted = (office: TestOffice) =>
  testApp.inOffice(office, (tx) => tx.selectFrom('office').select('paymentsWantedAt').executeTakeFirstOrThrow());
const answers = async (office: TestOffice) =>
  (await testApp.auditEntries(office)).filter(({ subject }) => subject === 'payments').map(({ details }) => details);

test('an AthenaOne office skips the payments question, and it does not come back', async () => {
  const office = await athena();
  expect(await gateOf(office)).toBe('payments-question');
  const { status, body } = await testApp.call(merchant.skipPayments, {}, { as: office });
  expect([status, body]).toEqual([200, { paymentsQuestionCompleted: true }]);
  expect(await gateOf(office)).toBe('ready');
  expect(await wanted(office)).toEqual({ paymentsWantedAt: null });
  expect(await answers(office)).toEqual([{ changed: 'cardPayments', said: 'skipped' }]);
});

test('an office that wants payments begins an application, and the question does not come back', async () => {
  const office = await athena();
  const { body } = await testApp.call(merchant.beginMerchantForm, {}, { as: office });
  expect(body).toMatchObject({ state: 'draft', unlockedStep: 1 });
  expect(await gateOf(office)).toBe('ready');
  expect(await wanted(office)).toEqual({ paymentsWantedAt: testApp.now() });
});

test('nobody is asked where no payment provider is set up', async () => {
  const office = await athena();
  const { merchant: provider } = testApp.services.providers;
  testApp.services.providers.merchant = noMerchant();
  expect(await gateOf(office)).toBe('ready');
  testApp.services.providers.merchant = provider;
  expect(await gateOf(office)).toBe('payments-question');
});

test('a link to the hosted form answers the question with yes', async () => {
  const office = await athena();
  const { body } = await testApp.call(merchant.openMerchantForms, {}, { as: office });
  expect(body).toMatchObject({
    onboarding_link: { link_url: expect.stringMatching(/^\/merchant\/form\/[\w-]{32}$/) },
    paymentsQuestionCompleted: true,
  });
  expect(await gateOf(office)).toBe('ready');
});

test('two concurrent answers are one audit entry, and a late skip does not revoke a yes', async () => {
  const office = await athena();
  await Promise.all([1, 2, 3].map(() => testApp.call(merchant.beginMerchantForm, {}, { as: office })));
  await testApp.call(merchant.skipPayments, {}, { as: office });
  expect(await answers(office)).toEqual([{ changed: 'cardPayments', said: 'wanted' }]);
  expect((await wanted(office)).paymentsWantedAt).not.toBeNull();
});

test('the payments question cannot be answered before the agreement is signed', async () => {
  const office = await athena({ signed: false });
  const { status, body } = await testApp.call(merchant.skipPayments, {}, { as: office });
  expect([status, body.code]).toEqual([403, 'agreement_missing']);
});

test('an answer to the payments question does not affect another office', async () => {
  const [one, two] = [await athena(), await athena()];
  await testApp.call(merchant.skipPayments, {}, { as: one });
  expect(await gateOf(two)).toBe('payments-question');
});
