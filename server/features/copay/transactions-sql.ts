import { sql, type SelectQueryBuilder } from 'kysely';
import type { DB } from '#db/tables.ts';
import type { Tx } from '#server/kit/db/db.ts';
import type { PaymentRow } from './sql.ts';

/** A checked filter: instants instead of the office's days. */
export interface PaymentFilter {
  officeId: string;
  from: Date | null;
  before: Date | null;
  status: PaymentRow['status'] | null;
  name: string;
}

export interface PaymentCursor {
  createdAt: Date;
  id: string;
}

type PaymentQuery<O> = SelectQueryBuilder<DB, 'payment', O>;

/**
 * A page of payments, read from the index on both sides of the cursor, so that the last page costs as much as the first. `newer` pages and
 * the last one come in reverse order.
 */
export function pageOfPayments(
  tx: Tx,
  filter: PaymentFilter,
  page: { cursor: PaymentCursor | null; newer: boolean; limit: number },
): Promise<PaymentRow[]> {
  const order = page.newer ? 'asc' : 'desc';
  const { cursor } = page;
  return filterPayments(tx.selectFrom('payment').selectAll(), filter)
    .$if(cursor !== null, (q) =>
      q.where(
        page.newer
          ? sql<boolean>`(payment.created_at, payment.id) > (${cursor?.createdAt}, ${cursor?.id}::uuid)`
          : sql<boolean>`(payment.created_at, payment.id) < (${cursor?.createdAt}, ${cursor?.id}::uuid)`,
      ),
    )
    .orderBy('createdAt', order)
    .orderBy('id', order)
    .limit(page.limit)
    .execute();
}

/** How many payments match, and their money. */
export async function totalsOfPayments(tx: Tx, filter: PaymentFilter) {
  const totals = await filterPayments(
    tx
      .selectFrom('payment')
      .select([
        sql<number>`count(*)`.as('count'),
        sql<number>`coalesce(sum(payment.amount_cents) filter (where state = 'SUCCEEDED' or refunded_cents > 0), 0)`.as(
          'charged',
        ),
        sql<number>`coalesce(sum(payment.refunded_cents + payment.excess_refunded_cents), 0)`.as('refunded'),
      ]),
    filter,
  ).executeTakeFirstOrThrow();
  const { missing } = await filterPayments(
    tx
      .selectFrom('payment')
      .innerJoin('paymentRecording as r', (join) =>
        join.onRef('r.officeId', '=', 'payment.officeId').onRef('r.paymentId', '=', 'payment.id'),
      )
      .where('payment.state', '=', 'SUCCEEDED')
      .where('r.state', 'in', ['refused', 'unknown'])
      .select(sql<number>`coalesce(sum(${missingCents('payment')}), 0)`.as('missing')) as unknown as PaymentQuery<{
      missing: number;
    }>,
    filter,
  ).executeTakeFirstOrThrow();
  return { ...totals, missing };
}

/** Nothing that was refunded is missing: a part without an answer keeps its amount. */
const missingCents = (payment: string) =>
  sql`least(r.amount_cents, ${sql.ref(`${payment}.amountCents`)} - ${sql.ref(`${payment}.refundedCents`)})`;

function filterPayments<O>(
  query: PaymentQuery<O>,
  { officeId, from, before, status, name }: PaymentFilter,
): PaymentQuery<O> {
  return query
    .where('payment.officeId', '=', officeId)
    .$if(from !== null, (q) => q.where('payment.createdAt', '>=', from as Date))
    .$if(before !== null, (q) => q.where('payment.createdAt', '<', before as Date))
    .$if(status !== null, (q) => q.where('payment.status', '=', status as PaymentRow['status']))
    .$if(name !== '', (q) =>
      q.where(sql<boolean>`lower(payment.patient_name) like ${`%${escapeLike(name.toLowerCase())}%`}`),
    );
}

const escapeLike = (text: string) => text.replace(/[\\%_]/g, '\\$&');

/** What moved on one of the office's days, by card brand. */
export function movedOn(tx: Tx, officeId: string, day: string) {
  return tx
    .selectFrom('moneyEntry')
    .select([
      'cardBrand',
      // A refund that was taken back is subtracted.
      sql<number>`count(*) filter (where refund_id is null)`.as('payments'),
      sql<number>`coalesce(sum(-sign(amount_cents)) filter (where refund_id is not null), 0)`.as('refunds'),
      sql<number>`coalesce(sum(amount_cents) filter (where refund_id is null), 0)`.as('charged'),
      sql<number>`coalesce(-sum(amount_cents) filter (where refund_id is not null), 0)`.as('refunded'),
    ])
    .where('officeId', '=', officeId)
    .where('day', '=', day)
    .groupBy('cardBrand')
    .orderBy('cardBrand')
    .execute();
}

/** Of the charges of one day, by card brand: what the practice software has, what is missing there, what waits, and what was refunded afterwards. */
export function recordedOn(tx: Tx, officeId: string, day: string) {
  const ofPayments = tx
    .selectFrom('moneyEntry as e')
    .innerJoin('payment as p', (join) => join.onRef('p.officeId', '=', 'e.officeId').onRef('p.id', '=', 'e.paymentId'))
    .innerJoin('paymentRecording as r', (join) =>
      join.onRef('r.officeId', '=', 'p.officeId').onRef('r.paymentId', '=', 'p.id'),
    )
    .select([
      'e.cardBrand',
      sql<number>`p.amount_cents - p.refunded_cents`.as('left'),
      sql<number>`coalesce(sum(r.amount_cents) filter (where r.state = 'recorded'), 0)`.as('recorded'),
      sql<number>`coalesce(sum(${missingCents('p')}) filter (where r.state in ('refused', 'unknown') and p.state = 'SUCCEEDED'), 0)`.as(
        'missing',
      ),
      sql<number>`coalesce(sum(${missingCents('p')}) filter (where r.state in ('due', 'sending') and p.state = 'SUCCEEDED'), 0)`.as(
        'waiting',
      ),
    ])
    .where('e.officeId', '=', officeId)
    .where('e.day', '=', day)
    .where('e.refundId', 'is', null)
    .groupBy(['p.officeId', 'p.id', 'e.cardBrand'])
    .as('payments');
  return tx
    .selectFrom(ofPayments)
    .select([
      'cardBrand',
      sql<number>`coalesce(sum(recorded), 0)`.as('recorded'),
      sql<number>`coalesce(sum(missing), 0)`.as('missing'),
      sql<number>`coalesce(sum(waiting), 0)`.as('waiting'),
      sql<number>`coalesce(sum(greatest(recorded + missing + waiting - "left", 0)), 0)`.as('refundedAfterRecording'),
    ])
    .groupBy('cardBrand')
    .execute();
}

/** The charges sent in this time whose outcome is unknown. */
export function unknownBetween(tx: Tx, officeId: string, from: Date, before: Date) {
  return tx
    .selectFrom('payment')
    .select([sql<number>`count(*)`.as('count'), sql<number>`coalesce(sum(amount_cents), 0)`.as('cents')])
    .where('officeId', '=', officeId)
    .where('state', '=', 'UNKNOWN')
    .where('claimedAt', '>=', from)
    .where('claimedAt', '<', before)
    .executeTakeFirstOrThrow();
}
