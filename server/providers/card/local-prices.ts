import { plans, type Plan } from '#contract/membership.ts';
import { CardRefused, type CardPrice } from './port.ts';

/** The local provider's prices: `price_local_lite_14900` is Lite at $149 for one provider and month. Any amount exists. */

const pattern = /^price_local_(pilot|lite|prime)_(\d{1,7})$/;

export const localPrices = {
  pilot: 'price_local_pilot_9900',
  lite: 'price_local_lite_14900',
  prime: 'price_local_prime_19900',
} as const satisfies Record<Plan, string>;

/** Null if there is no such price. */
export function readLocalPrice(priceId: string): CardPrice | null {
  const [, plan, cents] = pattern.exec(priceId) ?? [];
  return plan === undefined ? null : { priceId, productId: `prod_local_${plan}`, unitCents: Number(cents) };
}

function requirePrice(priceId: string): CardPrice {
  const price = readLocalPrice(priceId);
  if (!price) throw new CardRefused('invalid');
  return price;
}

export const unitCentsOf = (priceId: string) => requirePrice(priceId).unitCents;
export const productOf = (priceId: string) => requirePrice(priceId).productId;

/** The name on an invoice. */
export const productName = (productId: string) =>
  plans.find((plan) => productId === `prod_local_${plan}`)?.replace(/^./, (letter) => letter.toUpperCase()) ??
  productId;
