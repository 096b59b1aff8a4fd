/**
 * Transactions: the office's payments as a list, its totals, the end of a day, and payments whose outcome nobody knows.
 */
import * as z from 'zod/mini';
import { InPracticeSoftware, ShownPaymentState } from './copay.ts';
import { endpoint } from './endpoint.ts';
import { Instant } from './shapes.ts';

export const transactionsPageSize = 10;
/** Rows of one CSV file. */
export const longestCsv = 20_000;

/** Another program reads `chargeId` to `athenaClaimsRecorded`. */
export const Transaction = z.extend(InPracticeSoftware, {
  chargeId: z.uuid(),
  patientName: z.string(),
  /** In cents. */
  amount: z.int(),
  state: ShownPaymentState,
  createdAt: Instant,
  requested: z.boolean(),
  refunded: z.int(),
  cardBrand: z.nullable(z.string()),
  cardLast4: z.nullable(z.string()),
});
export type Transaction = z.output<typeof Transaction>;

/** `canceled` includes failed payments: nothing was charged. */
export const transactionFilters = ['all', 'successful', 'pending', 'canceled'] as const;
export const TransactionStatus = z.enum(transactionFilters);
export type TransactionStatus = z.output<typeof TransactionStatus>;

/** Both days or neither; neither is after today. */
export const TransactionFilter = z.object({
  patientName: z.optional(z.string().check(z.maxLength(200))),
  from: z.optional(z.iso.date()),
  to: z.optional(z.iso.date()),
  status: z.optional(TransactionStatus),
});
export type TransactionFilter = z.output<typeof TransactionFilter>;

/** Where a page begins: a time and an id. */
const Cursor = z.string().check(z.regex(/^\d{13}_[0-9a-f-]{36}$/));

const TransactionsPage = z.object({
  transactions: z.array(Transaction),
  /** Cursors of the neighboring pages; null at the ends. */
  previous: z.nullable(z.string()),
  next: z.nullable(z.string()),
  /** The payment provider's own dashboard; null without one. */
  dashboardUrl: z.nullable(z.string()),
});
export type TransactionsPage = z.output<typeof TransactionsPage>;

export const listTransactions = endpoint({
  method: 'GET',
  path: '/payments/merchant/transactions',
  summary: "One page of the office's payments, newest first",
  access: 'office',
  etag: true,
  audit: 'payment.list',
  query: z.object({
    status: z.optional(TransactionStatus),
    from: z.optional(z.iso.date()),
    to: z.optional(z.iso.date()),
    /** Payments older than this cursor's, newer than this cursor's, or the oldest ones. */
    after: z.optional(Cursor),
    before: z.optional(Cursor),
    last: z.optional(z.literal('true')),
  }),
  reply: TransactionsPage,
  refusals: ['no_payments', 'invalid_input'],
});

export const searchTransactions = endpoint({
  method: 'POST',
  path: '/payments/merchant/transactions/search',
  summary: "One page of the office's payments by a patient’s name. A POST, so that no patient’s name is in a URL",
  access: 'office',
  etag: true,
  audit: 'payment.list',
  body: z.object({
    ...TransactionFilter.shape,
    after: z.optional(Cursor),
    before: z.optional(Cursor),
    last: z.optional(z.literal('true')),
  }),
  reply: TransactionsPage,
  refusals: ['no_payments', 'invalid_input'],
});

export const TransactionTotals = z.object({
  count: z.int(),
  charged: z.int(),
  refunded: z.int(),
  /** Charged and not refunded, and the practice software refused it or did not say whether it has it. */
  missing: z.int(),
});
export type TransactionTotals = z.output<typeof TransactionTotals>;

export const totalTransactions = endpoint({
  method: 'POST',
  path: '/payments/merchant/transactions/totals',
  summary: 'How many payments match the filter, and what was charged and refunded',
  access: 'office',
  etag: true,
  audit: 'payment.list',
  body: TransactionFilter,
  reply: TransactionTotals,
  refusals: ['no_payments', 'invalid_input'],
});

export const downloadTransactions = endpoint({
  method: 'POST',
  path: '/payments/merchant/transactions/csv',
  summary: 'The payments that match the filter as a CSV file, at most 20,000; no cell starts a formula',
  access: 'office',
  audit: 'payment.download',
  body: TransactionFilter,
  reply: z.unknown(),
  gives: 'text/csv',
  refusals: ['no_payments', 'invalid_input', 'csv_too_long', 'too_many_tries'],
});

/** `recorded` and `missing`: of what was charged with it on this day, as in the report. */
const MethodTotals = z.object({
  method: z.string(),
  count: z.int(),
  charged: z.int(),
  refunded: z.int(),
  recorded: z.int(),
  missing: z.int(),
});

export const DayReport = z.object({
  day: z.iso.date(),
  /** In cents: charged and refunded on this day, by the day the money moved. */
  charged: z.int(),
  refunded: z.int(),
  net: z.int(),
  payments: z.int(),
  refunds: z.int(),
  /** The part of this day's charges that the practice software has, and the part that is missing there (as in the totals). */
  recorded: z.int(),
  missing: z.int(),
  /**
   * The part of the same charges that is not recorded yet, and the part refunded after recording. recorded + missing + waiting −
   * refundedAfterRecording = what is left of the day's charges.
   */
  waiting: z.int(),
  refundedAfterRecording: z.int(),
  /** Sent to the payment provider on this day, and nobody knows whether they were charged: how many, and their sum. They are in none of the above. */
  unknownCount: z.int(),
  unknown: z.int(),
  methods: z.array(MethodTotals),
});
export type DayReport = z.output<typeof DayReport>;

export const readDayReport = endpoint({
  method: 'GET',
  path: '/payments/merchant/day',
  summary: 'The end-of-day report: charged, refunded, recorded, missing, by card brand',
  access: 'office',
  etag: true,
  audit: 'payment.list',
  query: z.object({ day: z.optional(z.iso.date()) }),
  reply: DayReport,
  refusals: ['no_payments', 'invalid_input'],
});

/**
 * Something that a person has to look up at the payment provider or in the practice software: a payment, refund or recording without an answer,
 * a recording that was refused, (`correction`, with the payment's id) a refund of what the practice software has, (`contradiction`) a refund
 * that a person confirmed and the payment provider says it never made, (`paid-twice`) one that it made after all, when a person had said that
 * the patient got the money in another way, (`excess`, with the payment's id) more refunded than the patient paid, or (`charged-twice`, with the
 * id of the first payment) more than one payment of the same request charged: refunding one ends the question, and so does saying that both are
 * right; (`bounced`) a charge that failed after it had gone through, or (`dispute`) one that the patient's bank disputes. All but `payment`, `refund`,
 * `recording` and `contradiction` have one answer: `happened`.
 */
export const OpenQuestion = z.object({
  kind: z.enum([
    'payment',
    'refund',
    'recording',
    'correction',
    'contradiction',
    'paid-twice',
    'excess',
    'charged-twice',
    'bounced',
    'dispute',
  ]),
  id: z.uuid(),
  chargeId: z.uuid(),
  visitId: z.uuid(),
  patientName: z.string(),
  amount: z.int(),
  /** What to look for: our reference at the payment provider, or the end of the note in the practice software. */
  reference: z.string(),
  cardBrand: z.nullable(z.string()),
  cardLast4: z.nullable(z.string()),
  /** Which part of the payment was to be recorded; null unless the question is about a recording. */
  part: z.nullable(z.enum(['copay', 'claims'])),
  /** Why the practice software refused it, in its own terms; null unless it did. */
  problem: z.nullable(z.string()),
  since: Instant,
  /** For `charged-twice`: the payments that were charged, oldest first. Otherwise empty. */
  charges: z.array(
    z.object({
      chargeId: z.uuid(),
      amount: z.int(),
      reference: z.string(),
      cardBrand: z.nullable(z.string()),
      cardLast4: z.nullable(z.string()),
      createdAt: Instant,
    }),
  ),
});
export type OpenQuestion = z.output<typeof OpenQuestion>;

export const listOpenQuestions = endpoint({
  method: 'GET',
  path: '/payments/merchant/unknown',
  summary: 'Payments, refunds and recordings that a person has to look up or correct',
  access: 'office',
  etag: true,
  audit: 'payment.list',
  reply: z.object({ questions: z.array(OpenQuestion) }),
  refusals: ['no_payments'],
});

export const countOpenQuestions = endpoint({
  method: 'GET',
  path: '/payments/merchant/unknown/count',
  summary: 'How many payments, refunds and recordings a person has to look up or correct',
  access: 'office',
  reply: z.object({ count: z.int() }),
  etag: true,
  refusals: ['no_payments'],
});

export const resolveQuestion = endpoint({
  method: 'POST',
  path: '/payments/merchant/unknown',
  summary:
    'Answers the open question about a payment, refund or recording. If the provider can tell by now, its answer counts instead',
  access: 'office',
  audit: 'payment.resolve',
  // The amount that the person saw: an `excess`, a `correction` or what was charged twice may have grown, and nobody has seen to the rest.
  body: z.object({ kind: OpenQuestion.shape.kind, id: z.uuid(), happened: z.boolean(), amount: z.optional(z.int()) }),
  reply: z.object({ questions: z.array(OpenQuestion) }),
  refusals: ['no_payments', 'payment_not_found', 'payment_changed', 'merchant_away'],
});
