/**
 * Copays: a practice requests an amount on a visit, and the patient pays it by card on the visit's page.
 *
 * payment: one attempt to charge one amount (`chargeId`). After a failed one the patient's next try is a new payment.
 * transfer: the movement of money at the payment provider.
 * refund: money given back, all or part of it; void: the whole payment is reversed on the day it was made.
 * recording: the entry of a payment in the practice software, its copay and its claims separately.
 */
import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { paymentStates, refundStates, type PaymentState } from './payment-moves.ts';
import { Instant, Token } from './shapes.ts';
import { TextProblem, TextState } from './text-states.ts';

export * from './payment-moves.ts';

export const ShownPaymentState = z.enum(['PENDING', 'SUCCEEDED', 'CANCELLED', 'FAILED', 'UNKNOWN']);
export type ShownPaymentState = z.output<typeof ShownPaymentState>;

export const shownState = (state: PaymentState): ShownPaymentState => (state === 'REQUESTED' ? 'PENDING' : state);

/** The smallest and the largest amount of one payment. */
export const leastCents = 50;
export const mostCents = 1_000_000;

export const Cents = z.int().check(z.minimum(0), z.maximum(mostCents));
/** The `reason` of a void that nobody asked for: a person confirmed the charge, and the payment provider says it never made it. */
export const neverCharged = 'never charged';
/** The `reason` of a refund that was made in the payment provider's own dashboard. */
export const madeAtProvider = 'made at the provider';
/** The `reason` of a void that nobody asked for: the charge had gone through, and failed afterwards. */
export const failedLater = 'failed later';
/** The `endReason` of a try that was stopped: an earlier one of the same request was charged after all. */
export const chargedBefore = 'charged before';

const Reason = z.string().check(z.trim(), z.minLength(3), z.maxLength(300));
const ByCharge = z.object({ chargeId: z.uuid() });

export const RefundState = z.enum(refundStates);
export type RefundState = z.output<typeof RefundState>;

/**
 * Whether the practice software has the payment. `none`: nothing to record; `missing`: it refused a part; `unknown`: it did not say whether it
 * has a part, and a person has to look.
 */
export const Recording = z.enum(['none', 'waiting', 'recorded', 'missing', 'unknown']);
export type Recording = z.output<typeof Recording>;

/** The payment in the practice software. */
export const InPracticeSoftware = z.object({
  athenaCopayRecorded: z.boolean(),
  athenaClaimsRecorded: z.boolean(),
  recording: Recording,
  /** Why it refused a part, in its own terms; null unless it did. */
  recordingProblem: z.nullable(z.string()),
  /** In cents: recorded there and refunded afterwards. Staff take it out by hand. */
  toCorrect: z.int(),
});
export type InPracticeSoftware = z.output<typeof InPracticeSoftware>;

/** What the queue shows of a visit's newest payment. Other programs read `state`, `amount` and `chargeId`. */
export const PaymentResponse = z.object({
  state: ShownPaymentState,
  /** In cents. */
  amount: z.int(),
  chargeId: z.string(),
  /** The payment provider's number; null until there is one. */
  transferId: z.nullable(z.string()),
  /** The patient has not paid yet. */
  requested: z.boolean(),
  refunded: z.int(),
  recording: Recording,
  /** Two payments of one request of this visit were charged, and nobody has sorted that out yet. */
  chargedTwice: z.boolean(),
});
export type PaymentResponse = z.output<typeof PaymentResponse>;

export const Payment = z.extend(InPracticeSoftware, {
  chargeId: z.uuid(),
  visitId: z.uuid(),
  patientName: z.string(),
  /** In cents: the copay, what goes to claims, and both together. */
  copay: z.int(),
  claims: z.int(),
  amount: z.int(),
  state: ShownPaymentState,
  requested: z.boolean(),
  createdAt: Instant,
  settledAt: z.nullable(Instant),
  transferId: z.nullable(z.string()),
  cardBrand: z.nullable(z.string()),
  cardLast4: z.nullable(z.string()),
  /** Why it failed, in the payment provider's terms. */
  failure: z.nullable(z.string()),
  /** Who ended it, and why. */
  endedBy: z.nullable(z.string()),
  endReason: z.nullable(z.string()),
  requestedBy: z.nullable(z.string()),
  refunded: z.int(),
  refunds: z.array(
    z.object({
      id: z.uuid(),
      kind: z.enum(['refund', 'void']),
      amount: z.int(),
      reason: z.string(),
      state: RefundState,
      /** What the payment provider says and what a person said contradict each other: it is on the to-do list. */
      contradicted: z.boolean(),
      by: z.nullable(z.string()),
      createdAt: Instant,
    }),
  ),
  /** Another payment of the same request was charged too: it is on the to-do list. */
  chargedTwice: z.boolean(),
  /** The payment provider reported something about it that is on the to-do list: a dispute, or that it failed after all. */
  hasNotice: z.boolean(),
  /** Nobody has paid it, and it is the visit's newest: it can be withdrawn. */
  mayWithdraw: z.boolean(),
  /** It can still be voided: it was made today, and nothing was refunded. */
  mayVoid: z.boolean(),
  /** The practice's phone number, for the receipt. */
  practicePhone: z.nullable(z.string()),
  /** The visit's other payments, newest first. */
  otherPayments: z.array(
    z.object({
      chargeId: z.uuid(),
      amount: z.int(),
      state: ShownPaymentState,
      requested: z.boolean(),
      refunded: z.int(),
      transferId: z.nullable(z.string()),
      createdAt: Instant,
    }),
  ),
});
export type Payment = z.output<typeof Payment>;

export const requestPayment = endpoint({
  method: 'POST',
  path: '/payments/requests',
  summary: 'Requests a copay on a visit and texts the patient the link to its page, where it is paid',
  access: 'office',
  audit: 'payment.request',
  creates: true,
  body: z.object({
    visitId: z.uuid(),
    /** In cents. */
    copay: Cents,
    /** In cents: the part that pays earlier claims. */
    claims: z.optional(Cents),
  }),
  reply: z.extend(Payment, {
    /** The text with the link. The request stands even if it fails, or is held back by a limit of texts. */
    text: z.object({
      id: z.uuid(),
      state: TextState,
      problem: z.nullable(TextProblem),
      /** When the limit that held it back allows the next text. */
      limitedUntil: z.nullable(Instant),
    }),
  }),
  refusals: ['visit_not_found', 'visit_not_today', 'no_payments', 'payment_open', 'amount_out_of_range'],
});

export const readPayment = endpoint({
  method: 'GET',
  path: '/payments/charges/:chargeId',
  summary: 'One payment with its refunds',
  access: 'office',
  etag: true,
  audit: 'payment.read',
  params: ByCharge,
  reply: Payment,
  refusals: ['payment_not_found'],
});

export const voidPayment = endpoint({
  method: 'POST',
  path: '/payments/charges/:chargeId/void',
  summary: 'Withdraws a request that is not paid or failed, or reverses the whole payment on the day it was made',
  access: 'office',
  audit: 'payment.void',
  params: ByCharge,
  body: z.object({
    /** What the form offered. If the payment has moved on to the other meanwhile, the call is refused. */
    move: z.enum(['withdraw', 'void']),
    reason: Reason,
  }),
  reply: Payment,
  refusals: ['payment_not_found', 'payment_changed', 'void_too_late', 'too_many_tries'],
});

export const refundPayment = endpoint({
  method: 'POST',
  path: '/payments/charges/:chargeId/refund',
  summary: 'Refunds a payment or part of it. `id` is the caller’s own: a repeated call with it refunds once',
  access: 'office',
  audit: 'payment.refund',
  params: ByCharge,
  body: z.object({ id: z.uuid(), amount: z.int().check(z.minimum(1), z.maximum(mostCents)), reason: Reason }),
  reply: Payment,
  refusals: ['payment_not_found', 'payment_changed', 'refund_too_large', 'too_many_tries'],
});

export const recordInAthena = endpoint({
  method: 'POST',
  path: '/payments/athena',
  summary: 'Records a charged payment in the practice software: only what is missing there. It charges nothing',
  access: 'office',
  audit: 'payment.record',
  body: z.object({ chargeId: z.uuid() }),
  reply: z.extend(InPracticeSoftware, { chargeId: z.uuid() }),
  refusals: ['payment_not_found', 'payment_not_charged', 'too_many_tries'],
});

/** What the patient's page shows of the visit's payment. */
export const PatientPayment = z.object({
  id: z.uuid(),
  patientName: z.string(),
  /** In cents: the copay, what goes to earlier claims, and both together. */
  copay: z.int(),
  claims: z.int(),
  amount: z.int(),
  state: z.enum(paymentStates),
  /** `declined` by the bank, or `not-sent`: nothing was charged. Null unless it failed. */
  failure: z.nullable(z.enum(['declined', 'not-sent'])),
  paidAt: z.nullable(Instant),
  cardBrand: z.nullable(z.string()),
  cardLast4: z.nullable(z.string()),
  transferId: z.nullable(z.string()),
  /** Given back by the practice, or taken back by the bank. */
  refunded: z.int(),
  /** The bank took the whole payment back after it went through. */
  isBounced: z.boolean(),
});
export type PatientPayment = z.output<typeof PatientPayment>;

const ByToken = z.object({ token: Token });

export const openCardForm = endpoint({
  method: 'POST',
  path: '/visit/:token/payment/form',
  summary: "The payment provider's own card form; card numbers never pass through our calls",
  access: 'visit',
  audit: 'payment.form',
  params: ByToken,
  reply: z.object({
    /** A page to show in a frame. It posts `{card: token}` to the page around it. */
    url: z.string(),
  }),
  refusals: [
    'visit_link_ended',
    'link_not_proved',
    'payment_not_found',
    'payment_not_now',
    'merchant_away',
    'too_many_tries',
  ],
});

export const payCopay = endpoint({
  method: 'POST',
  path: '/visit/:token/payment',
  summary: "Pays the visit's payment with a card token. Repeated calls charge once",
  access: 'visit',
  audit: 'payment.pay',
  params: ByToken,
  body: z.object({
    /** The payment on the patient's page. */
    paymentId: z.uuid(),
    /** What the card form gave for the card; with `|` it would be one that was saved before. */
    card: z.string().check(z.minLength(8), z.maxLength(200), z.regex(/^[^|]+$/)),
  }),
  reply: PatientPayment,
  refusals: ['visit_link_ended', 'link_not_proved', 'payment_not_found', 'payment_not_now', 'too_many_tries'],
});

/** Callbacks of the payment provider about transfers. */
export const receiveChargeEvent = endpoint({
  method: 'POST',
  path: '/payments/charges/events/:provider',
  summary: "The payment provider's signed callback; only a hint to look at the transfer again",
  access: 'anyone',
  params: z.object({ provider: z.string().check(z.maxLength(40)) }),
  reply: z.object({ received: z.boolean() }),
  // `merchant_away`: it cannot say now what it is about; it calls again.
  refusals: ['wrong_signature', 'not_found', 'merchant_away'],
});
