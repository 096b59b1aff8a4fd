import { Stripe } from 'stripe';
import { describe, expect, test } from 'vitest';
import { stripeCallback, stripeEvent, stripeSecret } from '#testing/stand-ins/stripe-answers.ts';
import { CardSignatureInvalid } from './port.ts';
import { handledEvents, readStripeEvent } from './stripe-event.ts';
import { readStripe } from './stripe-settings.ts';

const now = new Date('2026-03-12T15:00:00.000Z');
const read = (call: ReturnType<typeof stripeCallback>, secret: string | undefined = stripeSecret) =>
  readStripeEvent(secret, call, now);
const updated = stripeEvent('customer.subscription.updated', { id: 'sub_1', customer: 'cus_1' });

describe('callbacks of Stripe', () => {
  test('an event names its customer, with the same key when it is repeated', () => {
    const heard = { key: 'evt_1', type: 'customer.subscription.updated', customerId: 'cus_1' };
    expect(read(stripeCallback(updated, now))).toEqual(heard);
    expect(read(stripeCallback(updated, now))).toEqual(heard);
    const whole = stripeEvent('invoice.paid', { id: 'in_1', customer: { id: 'cus_2' } });
    expect(read(stripeCallback(whole, now))?.customerId).toBe('cus_2');
  });

  test('a card that was taken off a customer names it as what was before', () => {
    const event = stripeEvent('payment_method.detached', { id: 'pm_1', customer: null });
    const told = { ...event, data: { ...event.data, previous_attributes: { customer: 'cus_1' } } };
    expect(read(stripeCallback(told, now))?.customerId).toBe('cus_1');
  });

  test('a signature that Stripe’s own SDK makes is accepted', () => {
    const payload = JSON.stringify(updated);
    const timestamp = now.getTime() / 1000;
    const header = Stripe.webhooks.generateTestHeaderString({ payload, secret: stripeSecret, timestamp });
    const call = { headers: { 'stripe-signature': header }, rawBody: Buffer.from(payload) };
    expect(readStripeEvent(stripeSecret, call, now)?.key).toBe('evt_1');
  });

  test('while the secret is replaced there are two signatures, and one is ours', () => {
    const { headers, rawBody } = stripeCallback(updated, now);
    const signature = headers['stripe-signature'].replace(',v1=', `,v1=${'0'.repeat(64)},v1=`);
    expect(read({ headers: { ...headers, 'stripe-signature': signature }, rawBody })?.key).toBe('evt_1');
  });

  test('a tampered, late, early, unsigned or foreign event is refused', () => {
    const good = stripeCallback(updated, now);
    const at = (seconds: number) => stripeCallback(updated, new Date(now.getTime() + seconds * 1000));
    const signed = (signature: string) => stripeCallback(updated, now, { 'stripe-signature': signature });
    const forged = [
      { ...good, rawBody: Buffer.from(JSON.stringify({ ...updated, id: 'evt_2' })) },
      at(-301),
      at(301),
      signed(''),
      signed('t=1,v1=00'),
      signed(good.headers['stripe-signature'].replace(/t=\d+/, `t=${now.getTime() / 1000 + 1}`)),
      { headers: { 'content-type': 'application/json', 'stripe-signature': '' }, rawBody: Buffer.alloc(0) },
    ];
    for (const call of forged) expect(() => read(call)).toThrow(CardSignatureInvalid);
    expect(() => readStripeEvent('whsec_another', good, now)).toThrow(CardSignatureInvalid);
    expect(() => readStripeEvent(undefined, good, now)).toThrow(CardSignatureInvalid);
    expect([read(at(-299))?.key, read(at(299))?.key]).toEqual(['evt_1', 'evt_1']);
  });

  test('events about something else, and what is no event, are ignored', () => {
    expect(read(stripeCallback(stripeEvent('product.created', { id: 'prod_1' }), now))).toBeNull();
    expect(read(stripeCallback('not json', now))).toBeNull();
    expect(read(stripeCallback({ id: 1 }, now))).toBeNull();
    const dispute = stripeEvent('charge.dispute.created', { id: 'dp_1' });
    expect(read(stripeCallback(dispute, now))).toMatchObject({ customerId: null });
    expect(handledEvents.size).toBe(21);
  });
});

describe('settings of Stripe', () => {
  const keys = { STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_PUBLISHABLE_KEY: 'pk_test_1' };
  const prices = { STRIPE_PRICE_PILOT: 'price_1', STRIPE_PRICE_LITE: 'price_2', STRIPE_PRICE_PRIME: 'price_3' };

  test('without a secret key there is no Stripe; with both keys there is', () => {
    expect(readStripe({})).toBeUndefined();
    expect(readStripe(keys)).toMatchObject({ url: 'https://api.stripe.com', prices: null, webhookSecret: undefined });
    expect(readStripe({ ...keys, ...prices })?.prices).toEqual({ pilot: 'price_1', lite: 'price_2', prime: 'price_3' });
  });

  test.each([
    [{ STRIPE_PUBLISHABLE_KEY: 'pk_test_1' }, /STRIPE_SECRET_KEY is missing/],
    [{ STRIPE_SECRET_KEY: 'sk_test_1' }, /STRIPE_PUBLISHABLE_KEY is missing/],
    [{ ...keys, STRIPE_PUBLISHABLE_KEY: 'sk_test_1' }, /must begin with pk_/],
    [{ ...keys, STRIPE_SECRET_KEY: 'sk_live_1' }, /must both be live keys/],
    [{ ...keys, STRIPE_URL: 'http://stripe.example' }, /STRIPE_URL must be an https address/],
    [{ ...keys, ...prices, STRIPE_PRICE_LITE: '' }, /STRIPE_PRICE_LITE must be the id of a price/],
  ])('%j is refused with a sentence', (from, message) => {
    expect(() => readStripe(from)).toThrow(message);
  });
});
