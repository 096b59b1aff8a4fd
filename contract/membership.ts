/**
 * Membership: the office's plan with us, and the card that pays for it.
 *
 * plan: Pilot, Lite or Prime, at a price per provider and month. Upgrades are charged at once, for the time left; a downgrade waits for the
 *   end of the period.
 * customer, subscription, price: the card provider's terms for the office, its plan and what a plan costs. Their ids are the provider's.
 * `{card}`: the card provider's name in the paths.
 */
import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { Instant } from './shapes.ts';
import { Subscription } from './subscription.ts';

export * from './subscription.ts';

export const mostProviders = 500;

/** The card on file, masked; null for each part without one. */
export const PaymentDisplay = z.object({
  name: z.nullable(z.string()),
  number: z.nullable(z.string()),
  date: z.nullable(z.string()),
  cvv: z.nullable(z.string()),
});
export type PaymentDisplay = z.output<typeof PaymentDisplay>;

const ProviderId = z.string().check(z.minLength(1), z.maxLength(100), z.regex(/^[\w-]+$/));
const CardName = z.object({ card: z.string().check(z.maxLength(40)) });
const OfCustomer = z.extend(CardName, { customerId: ProviderId });
const Providers = z.int().check(z.minimum(1), z.maximum(mostProviders));

export const createCustomer = endpoint({
  method: 'POST',
  path: '/:card/create/',
  summary: 'Makes the office a customer of the card provider; again, if the provider has deleted it',
  access: 'office',
  params: CardName,
  body: z.object({
    /** The office record; only its `_id` is read, and checked against the session. */
    strapi: z.optional(z.looseObject({ _id: z.optional(z.string().check(z.maxLength(64))) })),
  }),
  reply: z.object({ customerId: z.string() }),
  refusals: ['not_found', 'card_away', 'too_many_tries'],
});

export const readSubscription = endpoint({
  method: 'GET',
  path: '/:card/:customerId',
  summary: "The office's subscription, as the card provider has it now",
  access: 'office',
  params: OfCustomer,
  reply: Subscription,
  refusals: ['not_found', 'card_away', 'too_many_tries'],
});

const changeRefusals = [
  'not_found',
  'plan_moved_on',
  'card_not_verified',
  'customer_missing',
  'card_away',
  'too_many_tries',
] as const;

export const choosePlan = endpoint({
  method: 'POST',
  path: '/:card/plan',
  summary:
    'Starts a plan, or switches to it: an upgrade at once, a downgrade at the end of the period. The current price resumes a canceled plan',
  access: 'office',
  params: CardName,
  body: z.object({
    customerId: ProviderId,
    /** One of the office's three prices. */
    price: ProviderId,
    /** The number of providers; without it as before, or one. */
    providers: z.optional(Providers),
  }),
  reply: Subscription,
  refusals: changeRefusals,
});

export const cancelPlan = endpoint({
  method: 'POST',
  path: '/:card/cancel',
  summary: 'Cancels the plan at the end of the period; at once if nothing of it is paid',
  access: 'office',
  params: CardName,
  body: z.object({
    /** The subscription's id. */
    sub: ProviderId,
  }),
  reply: Subscription,
  refusals: changeRefusals,
});

export const readPaymentMethod = endpoint({
  method: 'GET',
  path: '/:card/payment/:customerId',
  summary: 'The card on file, masked',
  access: 'office',
  params: OfCustomer,
  reply: PaymentDisplay,
  refusals: ['not_found', 'card_away', 'too_many_tries'],
});

export const savePaymentMethod = endpoint({
  method: 'POST',
  path: '/:card/payment/:customerId',
  summary: 'Saves the card behind a token of the card provider, and pays what is due with it',
  access: 'office',
  params: OfCustomer,
  body: z.object({
    token: ProviderId,
    name: z.string().check(z.trim(), z.minLength(1), z.maxLength(120)),
  }),
  reply: PaymentDisplay,
  refusals: ['not_found', 'card_not_verified', 'customer_missing', 'card_away', 'too_many_tries'],
});

export const readPrices = endpoint({
  method: 'GET',
  path: '/:card/prices',
  summary: "The office's prices in cents, for one provider and one month; null for one that is not set",
  access: 'office',
  params: CardName,
  query: z.object({
    /** Each is checked against the office's own. Without any: all three. */
    pilot: z.optional(ProviderId),
    lite: z.optional(ProviderId),
    prime: z.optional(ProviderId),
  }),
  reply: z.object({ pilot: z.nullable(z.int()), lite: z.nullable(z.int()), prime: z.nullable(z.int()) }),
  refusals: ['not_found', 'card_away', 'too_many_tries'],
});

export const PlanPreview = z.object({
  /** Null: nothing would change. */
  move: z.nullable(z.enum(['start', 'upgrade', 'downgrade', 'keep', 'reactivate'])),
  /** In cents. */
  dueToday: z.int(),
  /** The credit for the rest of the old plan (not above zero), and the charge for the rest of the new one. */
  credit: z.int(),
  charge: z.int(),
  monthly: z.int(),
  /** When the plan begins or changes. */
  takesEffect: Instant,
  /** When `monthly` is charged next. */
  nextBilling: Instant,
});
export type PlanPreview = z.output<typeof PlanPreview>;

/** Whether the plan begins with the free trial, which only an office's first plan does. */
export const startsTrial = ({ move, dueToday, monthly }: Pick<PlanPreview, 'move' | 'dueToday' | 'monthly'>): boolean =>
  move === 'start' && dueToday === 0 && monthly > 0;

export const previewPlan = endpoint({
  method: 'GET',
  path: '/:card/preview/:customerId',
  summary: 'What choosing a plan would cost today, and when it takes effect',
  access: 'office',
  params: OfCustomer,
  query: z.object({ price: ProviderId, providers: z.optional(z.string().check(z.regex(/^[1-9]\d{0,2}$/))) }),
  reply: PlanPreview,
  refusals: ['not_found', 'plan_moved_on', 'customer_missing', 'card_away', 'too_many_tries'],
});

export const Invoice = z.object({
  id: z.string(),
  number: z.string(),
  at: Instant,
  status: z.enum(['paid', 'open', 'void', 'uncollectible']),
  total: z.int(),
});
export type Invoice = z.output<typeof Invoice>;

export const listInvoices = endpoint({
  method: 'GET',
  path: '/:card/invoices/:customerId',
  summary: "The office's invoices, newest first; totals in cents",
  access: 'office',
  params: OfCustomer,
  reply: z.object({ invoices: z.array(Invoice) }),
  refusals: ['not_found', 'card_away', 'too_many_tries'],
});

export const readInvoicePdf = endpoint({
  method: 'GET',
  path: '/:card/invoice/:customerId/:invoiceId',
  summary: 'An invoice as a PDF',
  access: 'office',
  params: z.extend(OfCustomer, { invoiceId: ProviderId }),
  reply: z.unknown(),
  gives: 'application/pdf',
  refusals: ['not_found', 'card_away', 'too_many_tries'],
});

/** The membership as saved here after the last change; reading it does not ask the card provider. */
export const OfficeMembership = z.object({
  customerId: z.nullable(z.string()),
  /** The page on which a card is entered, for a frame. */
  cardPage: z.nullable(z.string()),
  prices: z.object({ pilot: z.nullable(z.string()), lite: z.nullable(z.string()), prime: z.nullable(z.string()) }),
  /** Null before the first look at the provider. */
  subscription: z.nullable(Subscription),
});
export type OfficeMembership = z.output<typeof OfficeMembership>;

export const readMembership = endpoint({
  method: 'GET',
  path: '/office/membership',
  summary: "The office's membership as last seen, with the ids that the card calls take",
  access: 'office',
  reply: OfficeMembership,
});

export const hearCard = endpoint({
  method: 'POST',
  path: '/:card/card-events',
  summary: "The card provider's callback, signed over its raw body. It only triggers a look-up; repeats change nothing",
  access: 'anyone',
  params: CardName,
  reply: z.object({ received: z.boolean() }),
  refusals: ['wrong_signature', 'card_away'],
});

/** What the frame of the card page sends to the page around it. */
export type CardPageMessage =
  | { kind: 'ready' | 'submit' | 'wrong' | 'refused' }
  | { kind: 'height'; height: number }
  | { kind: 'token'; token: string };
