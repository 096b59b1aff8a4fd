import { plans, type Plan } from '#contract/membership.ts';
import { isLoopback } from '#server/kit/http/loopback.ts';

/** How this installation connects to Stripe (docs/operating.md). */
export interface StripeSettings {
  secretKey: string;
  /** For the browser: it can turn cards into tokens and nothing else. */
  publishableKey: string;
  /** Signs Stripe's callbacks; undefined: callbacks are refused, and the daily look finds what changed. */
  webhookSecret: string | undefined;
  /** The prices of an office whose own are not set. */
  prices: Record<Plan, string> | null;
  /** Without a trailing slash. */
  url: string;
}

const others = ['STRIPE_PUBLISHABLE_KEY', 'STRIPE_WEBHOOK_SECRET', 'STRIPE_PRICE_PILOT', 'STRIPE_URL'] as const;
const priceNames = { pilot: 'STRIPE_PRICE_PILOT', lite: 'STRIPE_PRICE_LITE', prime: 'STRIPE_PRICE_PRIME' } as const;

/** Reads the settings from the environment; undefined without STRIPE_SECRET_KEY. Throws a message an operator can act on. */
export function readStripe(from: NodeJS.ProcessEnv): StripeSettings | undefined {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_PUBLISHABLE_KEY: publishableKey } = from;
  if (!secretKey) {
    const stray = others.find((name) => from[name]);
    if (stray) throw new Error(`STRIPE_SECRET_KEY is missing: ${stray} needs it. Give the secret key of your account`);
    return undefined;
  }
  if (!publishableKey)
    throw new Error('STRIPE_PUBLISHABLE_KEY is missing: with STRIPE_SECRET_KEY give the publishable key');
  // The browser gets this key: a mistake here would hand out the other one.
  if (!publishableKey.startsWith('pk_')) throw new Error('STRIPE_PUBLISHABLE_KEY must begin with pk_');
  if (secretKey.includes('_live_') !== publishableKey.includes('_live_'))
    throw new Error('STRIPE_SECRET_KEY and STRIPE_PUBLISHABLE_KEY must both be live keys, or both be test keys');
  const url = (from.STRIPE_URL || 'https://api.stripe.com').replace(/\/+$/, '');
  const parsed = URL.parse(url);
  if (parsed?.protocol !== 'https:' && !(parsed?.protocol === 'http:' && isLoopback(parsed.hostname)))
    throw new Error('STRIPE_URL must be an https address (plain http only on this machine)');
  const webhookSecret = from.STRIPE_WEBHOOK_SECRET || undefined;
  return { secretKey, publishableKey, webhookSecret, prices: readPrices(from), url };
}

function readPrices(from: NodeJS.ProcessEnv): Record<Plan, string> | null {
  const priceIds = plans.map((plan) => [plan, from[priceNames[plan]] ?? ''] as const);
  if (priceIds.every(([, id]) => id === '')) return null;
  const wrong = priceIds.find(([, id]) => !/^[\w-]{1,100}$/.test(id));
  if (wrong) throw new Error(`${priceNames[wrong[0]]} must be the id of a price: give all three, or none`);
  return Object.fromEntries(priceIds) as Record<Plan, string>;
}
