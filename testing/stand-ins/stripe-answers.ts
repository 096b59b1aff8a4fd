import { createHmac } from 'node:crypto';
import type { Answers } from './contract-server.ts';

/** Where an answer of Stripe has the end of the period: at the subscription until 2025, at its items since. */
export type StripeShape = 'old' | 'new';

export const stripeSecret = 'whsec_of_the_tests_0123456789abcdef';
export const periodEnd = 1_775_055_600;

const price = (id: string, unitAmount: number | null = 9_900) => ({
  object: 'price',
  id,
  product: `prod_${id.replace('price_', '')}`,
  unit_amount: unitAmount,
});

/** A subscription to Pilot for two providers, in the middle of a paid month. */
export function subscriptionAnswer(shape: StripeShape, changes: object = {}): object {
  const item = { id: 'si_1', quantity: 2, price: price('price_pilot') };
  const end = { current_period_end: periodEnd };
  return {
    object: 'subscription',
    id: 'sub_1',
    customer: 'cus_1',
    status: 'active',
    cancel_at_period_end: false,
    cancel_at: null,
    ended_at: null,
    trial_end: null,
    schedule: null,
    pending_update: null,
    latest_invoice: 'in_1',
    ...(shape === 'old' && end),
    items: { object: 'list', data: [{ ...item, ...(shape === 'new' && end) }] },
    ...changes,
  };
}

/** A schedule that changes the plan at the end of the period to Lite for one provider. */
export const scheduleAnswer = (changes: object = {}) => ({
  object: 'subscription_schedule',
  id: 'sub_sched_1',
  status: 'active',
  current_phase: { start_date: periodEnd - 2_678_400, end_date: periodEnd },
  phases: [
    { start_date: periodEnd - 2_678_400, end_date: periodEnd, items: [{ price: 'price_pilot', quantity: 2 }] },
    { start_date: periodEnd, end_date: periodEnd + 2_678_400, items: [{ price: 'price_lite', quantity: 1 }] },
  ],
  ...changes,
});

const cardAnswer = {
  object: 'payment_method',
  id: 'pm_1',
  billing_details: { name: 'Dana Whitlock' },
  card: { brand: 'visa', last4: '4242', exp_month: 8, exp_year: 2030 },
};

export const customerAnswer = (changes: object = {}) => ({
  object: 'customer',
  id: 'cus_1',
  name: 'Maple',
  metadata: { officeId: 'office-1' },
  invoice_settings: { default_payment_method: cardAnswer },
  ...changes,
});

export const invoiceAnswer = (changes: object = {}) => ({
  object: 'invoice',
  id: 'in_1',
  customer: 'cus_1',
  number: 'A-0001',
  created: 1_772_463_600,
  status: 'paid',
  total: 19_800,
  invoice_pdf: null,
  ...changes,
});

const list = (data: object[]) => ({ object: 'list', has_more: false, data });

/** What Stripe answers for one customer with one subscription; the contract's own examples are of many. */
export const stripeAnswers =
  (shape: StripeShape): Answers =>
  (method, path) => {
    const [, , kind = '', id] = path.split('/');
    switch (kind) {
      case 'customers':
        return customerAnswer();
      case 'subscriptions':
        return method === 'GET' && !id ? list([subscriptionAnswer(shape)]) : subscriptionAnswer(shape);
      case 'subscription_schedules':
        return scheduleAnswer();
      case 'prices':
        return price(id ?? '');
      case 'payment_methods':
        return cardAnswer;
      case 'setup_intents':
        return { object: 'setup_intent', id: 'seti_1', status: 'succeeded' };
      case 'invoices':
        if (id === 'create_preview')
          return { object: 'invoice', amount_due: 13_333, lines: list([{ amount: -13_200 }, { amount: 26_533 }]) };
        return id ? invoiceAnswer() : list([invoiceAnswer()]);
      default:
        return undefined;
    }
  };

/** An error as Stripe answers it. */
export const stripeError = (status: number, error: { type: string; code?: string; decline_code?: string }) => ({
  status,
  body: { error: { message: 'Dana Whitlock', ...error } },
});

/** A callback as Stripe sends it, signed at `at`. */
export function stripeCallback(told: object | string, at: Date, changes: Record<string, string> = {}) {
  const rawBody = Buffer.from(typeof told === 'string' ? told : JSON.stringify(told));
  const seconds = Math.floor(at.getTime() / 1000);
  const signature = createHmac('sha256', stripeSecret).update(`${seconds}.`).update(rawBody).digest('hex');
  const headers = {
    'content-type': 'application/json',
    'stripe-signature': `t=${seconds},v1=${signature}`,
    ...changes,
  };
  return { headers, rawBody };
}

export const stripeEvent = (type: string, object: object, id = 'evt_1') => ({
  object: 'event',
  id,
  type,
  created: 1_772_463_600,
  data: { object },
});
