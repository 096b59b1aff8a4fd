import { afterAll, expect, test } from 'vitest';
import { merchant, session } from '#contract/index.ts';
import { signatureHeader, signBody } from '#server/kit/crypto/signature.ts';
import { decide } from '#server/providers/merchant/local-forms.ts';
import { sendMerchantCallback } from '#server/providers/merchant/local-callbacks.ts';
import { hostedLink, merchantPost, pressForm, submitHostedForm, typedSteps } from '#testing/fixtures/merchant.ts';
import { openTestApp, type TestOffice } from '#testing/app/test-app.ts';
import { checkDueApplications } from './jobs.ts';

const testApp = await openTestApp();
afterAll(() => testApp.close());

const post = merchantPost(testApp);
const stateOf = async (as: TestOffice) => (await testApp.call(merchant.readMerchantForm, {}, { as })).body.state;
const eventsOf = (office: TestOffice) =>
  testApp.inOffice(office, (tx) => tx.selectFrom('merchantEvent').select('type').execute());

/** An office that submitted, and the provider's id of its form. */
async function submittedApplication(): Promise<{ office: TestOffice; formId: string }> {
  const office = await testApp.office();
  await submitHostedForm(testApp, await hostedLink(testApp, office), '');
  const { id } = await testApp.owner
    .selectFrom('merchant.form')
    .select('id')
    .where('reference', 'like', `${office.id}%`)
    .executeTakeFirstOrThrow();
  return { office, formId: id };
}

test('50 copies of one event in parallel are one event', async () => {
  const { office, formId } = await submittedApplication();
  const event = { id: testApp.services.id(), type: 'onboarding_form.updated', formId };
  const statuses = await Promise.all(
    Array.from({ length: 50 }, () => sendMerchantCallback(testApp.services, post, event)),
  );
  expect(new Set(statuses)).toEqual(new Set([200]));
  expect(await eventsOf(office)).toEqual([{ type: 'onboarding_form.updated' }]);
  expect(await stateOf(office)).toBe('processing');
  const submits = (await testApp.auditEntries(office)).filter(({ action }) => action === 'merchant.submit');
  expect(submits).toHaveLength(1);
});

test('events in the wrong order end in the provider’s state', async () => {
  const { office, formId } = await submittedApplication();
  await decide(testApp.services, formId, 'approved');
  for (const type of ['merchant.updated', 'merchant.created', 'onboarding_form.updated', 'onboarding_form.created'])
    expect(await sendMerchantCallback(testApp.services, post, { id: testApp.services.id(), type, formId })).toBe(200);
  expect(await stateOf(office)).toBe('approved');
});

test('a provider that needs more is answered in the same form, and all members learn of the second submission', async () => {
  const { office, formId } = await submittedApplication();
  const { services } = testApp;
  const callBack = () => sendMerchantCallback(services, post, { id: services.id(), type: 'merchant.updated', formId });
  const read = async () => (await testApp.call(merchant.readMerchantForm, {}, { as: office })).body;
  const noticesTo = async () =>
    (
      await testApp.inOffice(office, (tx) =>
        tx.selectFrom('merchantApplication').select('noticeTo').executeTakeFirstOrThrow(),
      )
    ).noticeTo.length;
  await callBack();
  await checkDueApplications(services);
  expect(await noticesTo()).toBe(0);
  const { identity } = await read();
  await decide(services, formId, 'update-requested');
  await callBack();
  await callBack();
  expect(await read()).toMatchObject({ state: 'update-requested', identity, transactions: false, decidedAt: null });
  const { body } = await testApp.call(session.readSession, {}, { as: office });
  expect(body.office).toMatchObject({ cardPayments: 'update-requested', paymentIdentity: true });
  const begun = await testApp.call(merchant.beginMerchantForm, {}, { as: office });
  expect(begun.body.state).toBe('update-requested');

  const link = await hostedLink(testApp, office);
  const page = await testApp.app.inject({ method: 'GET', url: link });
  expect(page.body).toContain('We could not confirm the bank account.');
  await pressForm(testApp, link, 'bank', { ...typedSteps.bank, account: '000123454321', review: '' });
  // The return page looks again, however short the last look is ago.
  const back = await testApp.call(
    merchant.saveMerchantIdentity,
    { body: { strapi: office.id, identity } },
    { as: office },
  );
  expect(back.body.state).toBe('processing');
  await callBack();
  expect(await read()).toMatchObject({ state: 'processing', identity, bank: { lastFour: '4321' } });
  expect(await noticesTo()).toBeGreaterThan(0);
  expect((await testApp.call(merchant.openMerchantForms, {}, { as: office })).status).toBe(409);

  await decide(services, formId, 'approved');
  await callBack();
  expect(await read()).toMatchObject({ state: 'approved', transactions: true });
  const actions = (await testApp.auditEntries(office)).map(({ action }) => action);
  expect(actions.filter((action) => action === 'merchant.return')).toHaveLength(1);
  expect(actions.filter((action) => action === 'merchant.submit')).toHaveLength(2);
});

test('a tampered, unsigned or old event is refused, and another provider’s path is 404', async () => {
  const { office, formId } = await submittedApplication();
  const body = JSON.stringify({ key: 'one', type: 'merchant.updated', formId });
  const { webhook } = testApp.services.env.secrets;
  const path = '/api/merchant/local/events';
  const json = { 'content-type': 'application/json' };
  const signed = (at: Date) => ({ ...json, [signatureHeader]: signBody(webhook, body, at) });
  const statuses = [
    await post(path, json, body),
    await post(path, signed(testApp.now()), body.replace('one', 'two')),
    await post(path, signed(new Date(testApp.now().getTime() - 301_000)), body),
    await post('/api/merchant/finix/events', signed(testApp.now()), body),
  ];
  expect(statuses).toEqual([403, 403, 403, 404]);
  expect(await eventsOf(office)).toEqual([]);
});

test('an event about an unknown form is accepted and changes nothing', async () => {
  const event = { id: testApp.services.id(), type: 'merchant.updated', formId: testApp.services.id() };
  expect(await sendMerchantCallback(testApp.services, post, event)).toBe(200);
});
