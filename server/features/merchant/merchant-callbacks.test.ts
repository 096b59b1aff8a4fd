import { afterAll, expect, test } from 'vitest';
import { merchant } from '#contract/index.ts';
import { signatureHeader, signBody } from '#server/kit/crypto/signature.ts';
import { decide } from '#server/providers/merchant/local-forms.ts';
import { sendMerchantCallback } from '#server/providers/merchant/local-callbacks.ts';
import { hostedLink, merchantPost, submitHostedForm } from '#testing/fixtures/merchant.ts';
import { openTestApp, type TestOffice } from '#testing/app/test-app.ts';

const testApp = await openTestApp();
afterAll(() => testApp.close());

const post = merchantPost(testApp);
const stateOf = async (as: TestOffice) => (await testApp.call(merchant.readMerchantForm, {}, { as })).body.state;
const eventsOf = (office: TestOffice) =>
  testApp.inOffice(office, (tx) => tx.selectFrom('merchantEvent').select('type').execute());

/** An office that submitted, and the provider's id of its form. */
async function submitted(): Promise<{ office: TestOffice; formId: string }> {
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
  const { office, formId } = await submitted();
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
  const { office, formId } = await submitted();
  await decide(testApp.services, formId, 'approved');
  for (const type of ['merchant.updated', 'merchant.created', 'onboarding_form.updated', 'onboarding_form.created'])
    expect(await sendMerchantCallback(testApp.services, post, { id: testApp.services.id(), type, formId })).toBe(200);
  expect(await stateOf(office)).toBe('approved');
});

test('a tampered, unsigned or old event is refused, and another provider’s path is 404', async () => {
  const { office, formId } = await submitted();
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
