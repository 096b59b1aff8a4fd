import {
  longestCsv,
  transactionsPageSize,
  type DayReport,
  type Transaction,
  type TransactionFilter,
  type TransactionsPage,
  type TransactionTotals,
} from '#contract/transactions.ts';
import { shownState } from '#contract/copay.ts';
import type { OfficeCtx } from '#server/context.ts';
import { writeAuditEntry } from '#server/kit/audit.ts';
import { dayOf, instantOf } from '#server/kit/day.ts';
import type { Tx } from '#server/kit/db/db.ts';
import type { FileAnswer } from '#server/kit/http/file-answer.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { versionedReply, type ConditionalRequest, type VersionedReply } from '#server/kit/http/versioned-reply.ts';
import { inPracticeSoftware } from './in-practice-software.ts';
import { chargingMerchant, requirePaymentIdentity } from './payment-identity.ts';
import { recordingsOf } from './recording-sql.ts';
import type { PaymentRow } from './sql.ts';
import { csvOf } from './transactions-csv.ts';
import {
  movedOn,
  pageOfPayments,
  recordedOn,
  totalsOfPayments,
  unknownBetween,
  type PaymentCursor,
  type PaymentFilter,
} from './transactions-sql.ts';

type PageRequest = TransactionFilter & {
  after?: string | undefined;
  before?: string | undefined;
  last?: 'true' | undefined;
};

/** Nothing was paid here before. */
const firstDay = '2000-01-01';
const csvsPerOffice = { name: 'transactions-csv', points: 12, seconds: 3600 };

/** One page, newest first. */
export async function listTransactions(
  ctx: OfficeCtx,
  request: PageRequest,
  conditional: ConditionalRequest,
): Promise<VersionedReply<TransactionsPage>> {
  const filter = checkedFilter(ctx, request);
  return ctx.transaction(async (tx) => {
    await requirePaymentIdentity(tx, ctx.officeId);
    const merchant = await chargingMerchant(tx, ctx.officeId);
    const newer = request.before !== undefined || request.last !== undefined;
    const cursor = parseCursor(request.before ?? request.after);
    const found = await pageOfPayments(tx, filter, { cursor, newer, limit: transactionsPageSize + 1 });
    const rows = found.slice(0, transactionsPageSize);
    if (newer) rows.reverse();
    const isMore = found.length > transactionsPageSize;
    const [first, last] = [rows[0], rows.at(-1)];
    const hasOlder = newer ? request.last === undefined : isMore;
    const hasNewer = newer ? isMore : cursor !== null;
    const body = {
      transactions: await toTransactions(tx, ctx.officeId, rows),
      previous: first && hasNewer ? cursorOf(first) : null,
      next: last && hasOlder ? cursorOf(last) : null,
      dashboardUrl: merchant === null ? null : ctx.providers.charges.dashboardUrl(merchant),
    };
    return versionedReply(body, conditional, { onSend: () => writeAuditEntry(tx, ctx, { action: 'payment.list' }) });
  });
}

export async function totalTransactions(
  ctx: OfficeCtx,
  request: TransactionFilter,
  conditional: ConditionalRequest,
): Promise<VersionedReply<TransactionTotals>> {
  const filter = checkedFilter(ctx, request);
  return ctx.transaction(async (tx) => {
    await requirePaymentIdentity(tx, ctx.officeId);
    const { count, charged, refunded, missing } = await totalsOfPayments(tx, filter);
    const body = {
      count: Number(count),
      charged: Number(charged),
      refunded: Number(refunded),
      missing: Number(missing),
    };
    const onSend = () => writeAuditEntry(tx, ctx, { action: 'payment.list', subject: 'totals' });
    return versionedReply(body, conditional, { onSend });
  });
}

/** The payments of the filter as a CSV file, the newest first. */
export async function downloadTransactions(ctx: OfficeCtx, request: TransactionFilter): Promise<FileAnswer> {
  const filter = checkedFilter(ctx, request);
  await ctx.limits.take(csvsPerOffice, ctx.officeId);
  const transactions = await ctx.transaction(async (tx) => {
    await requirePaymentIdentity(tx, ctx.officeId);
    await writeAuditEntry(tx, ctx, { action: 'payment.download' });
    const rows = await pageOfPayments(tx, filter, { cursor: null, newer: false, limit: longestCsv + 1 });
    if (rows.length > longestCsv) throw new Refusal('csv_too_long');
    return toTransactions(tx, ctx.officeId, rows);
  });
  const content = Buffer.from(await csvOf(transactions, ctx.timeZone, ctx.language));
  const fileName = `transactions-${dayOf(ctx.now(), ctx.timeZone)}.csv`;
  return {
    content,
    contentType: 'text/csv; charset=utf-8',
    bytes: content.length,
    disposition: 'attachment',
    fileName,
  };
}

/** What moved on one day, by the day it moved. */
export async function readDayReport(
  ctx: OfficeCtx,
  requestedDay: string | undefined,
  conditional: ConditionalRequest,
): Promise<VersionedReply<DayReport>> {
  const today = dayOf(ctx.now(), ctx.timeZone);
  const day = requestedDay ?? today;
  if (day > today || day < firstDay) throw new Refusal('invalid_input');
  return ctx.transaction(async (tx) => {
    await requirePaymentIdentity(tx, ctx.officeId);
    const recorded = await recordedOn(tx, ctx.officeId, day);
    const unknown = await unknownBetween(
      tx,
      ctx.officeId,
      instantOf(day, '00:00', ctx.timeZone),
      instantOf(day, '24:00', ctx.timeZone),
    );
    const recordedWith = (brand: string | null) => recorded.find(({ cardBrand }) => cardBrand === brand);
    const methods = (await movedOn(tx, ctx.officeId, day)).map((row) => ({
      recorded: Number(recordedWith(row.cardBrand)?.recorded ?? 0),
      missing: Number(recordedWith(row.cardBrand)?.missing ?? 0),
      method: row.cardBrand ?? '',
      count: Number(row.payments),
      refunds: Number(row.refunds),
      charged: Number(row.charged),
      refunded: Number(row.refunded),
    }));
    const ofRecorded = (key: 'recorded' | 'missing' | 'waiting' | 'refundedAfterRecording') =>
      recorded.reduce((total, row) => total + Number(row[key]), 0);
    const sum = (key: 'count' | 'refunds' | 'charged' | 'refunded') =>
      methods.reduce((total, method) => total + method[key], 0);
    const body = {
      day,
      charged: sum('charged'),
      refunded: sum('refunded'),
      net: sum('charged') - sum('refunded'),
      payments: sum('count'),
      refunds: sum('refunds'),
      recorded: ofRecorded('recorded'),
      missing: ofRecorded('missing'),
      waiting: ofRecorded('waiting'),
      refundedAfterRecording: ofRecorded('refundedAfterRecording'),
      unknownCount: Number(unknown.count),
      unknown: Number(unknown.cents),
      methods: methods.map(({ refunds: _, ...method }) => method),
    };
    const onSend = () => writeAuditEntry(tx, ctx, { action: 'payment.list', subject: `day ${day}` });
    return versionedReply(body, conditional, { onSend });
  });
}

/** Both days or neither, in order, and none after today. */
function checkedFilter(ctx: OfficeCtx, { patientName, from, to, status }: TransactionFilter): PaymentFilter {
  const { timeZone } = ctx;
  const isRange = from !== undefined && to !== undefined;
  if (!isRange && (from !== undefined || to !== undefined)) throw new Refusal('invalid_input');
  if (isRange && (from < firstDay || from > to || to > dayOf(ctx.now(), timeZone))) throw new Refusal('invalid_input');
  return {
    officeId: ctx.officeId,
    from: isRange ? instantOf(from, '00:00', timeZone) : null,
    before: isRange ? instantOf(to, '24:00', timeZone) : null,
    status: status === undefined || status === 'all' ? null : status,
    name: patientName?.trim() ?? '',
  };
}

async function toTransactions(tx: Tx, officeId: string, rows: PaymentRow[]): Promise<Transaction[]> {
  const recordings = Map.groupBy(
    await recordingsOf(
      tx,
      officeId,
      rows.map(({ id }) => id),
    ),
    ({ paymentId }) => paymentId,
  );
  return rows.map((row) => ({
    chargeId: row.id,
    patientName: row.patientName,
    amount: row.amountCents,
    state: shownState(row.state),
    createdAt: row.createdAt.toISOString(),
    requested: row.state === 'REQUESTED',
    refunded: row.refundedCents + row.excessRefundedCents,
    cardBrand: row.cardBrand,
    cardLast4: row.cardLast4,
    ...inPracticeSoftware(row, recordings.get(row.id) ?? []),
  }));
}

const cursorOf = ({ createdAt, id }: PaymentRow) => `${String(createdAt.getTime()).padStart(13, '0')}_${id}`;

function parseCursor(cursor: string | undefined): PaymentCursor | null {
  const [, at, id] = /^(\d{13})_([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/.exec(cursor ?? '') ?? [];
  if (cursor !== undefined && id === undefined) throw new Refusal('invalid_input');
  return at !== undefined && id !== undefined ? { createdAt: new Date(Number(at)), id } : null;
}
