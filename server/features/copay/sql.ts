import type { Insertable, Selectable, Updateable } from 'kysely';
import type pg from 'pg';
import { refundMoves, type RefundMove } from '#contract/copay.ts';
import type { DB } from '#db/tables.ts';
import type { Tx } from '#server/kit/db/db.ts';

export type PaymentRow = Selectable<DB['payment']>;
export type RefundRow = Selectable<DB['paymentRefund']>;

export async function insertPayment(tx: Tx, payment: Insertable<DB['payment']>): Promise<PaymentRow> {
  return tx.insertInto('payment').values(payment).returningAll().executeTakeFirstOrThrow();
}

export function paymentById(tx: Tx, officeId: string, id: string): Promise<PaymentRow | undefined> {
  return tx.selectFrom('payment').selectAll().where('officeId', '=', officeId).where('id', '=', id).executeTakeFirst();
}

/** Whether a payment was ever requested. */
export async function hasPayments(tx: Tx, officeId: string): Promise<boolean> {
  const row = await tx.selectFrom('payment').select('id').where('officeId', '=', officeId).limit(1).executeTakeFirst();
  return row !== undefined;
}

/**
 * Locks the payment until the transaction ends, so that of two callers the second sees what the first did. The first payment of its request is
 * locked before it: tries of one request see each other's charges.
 */
export async function lockPayment(tx: Tx, officeId: string, id: string): Promise<PaymentRow | undefined> {
  const rows = await tx
    .selectFrom('payment')
    .selectAll()
    .where('officeId', '=', officeId)
    .where((row) =>
      row.or([
        row('id', '=', id),
        row('id', '=', (q) =>
          q.selectFrom('payment as p').select('p.firstTryId').where('p.officeId', '=', officeId).where('p.id', '=', id),
        ),
      ]),
    )
    .orderBy('firstTryId', (order) => order.asc().nullsFirst())
    .forUpdate()
    .execute();
  return rows.find((row) => row.id === id);
}

/** The payments of the request that this one is a try of, oldest first. */
export function triesOf(
  tx: Tx,
  { officeId, id, firstTryId }: Pick<PaymentRow, 'officeId' | 'id' | 'firstTryId'>,
): Promise<PaymentRow[]> {
  const first = firstTryId ?? id;
  return tx
    .selectFrom('payment')
    .selectAll()
    .where('officeId', '=', officeId)
    .where((row) => row.or([row('id', '=', first), row('firstTryId', '=', first)]))
    .orderBy('createdAt')
    .orderBy('id')
    .execute();
}

/** The visit's newest payment. */
export function newestPayment(tx: Tx, officeId: string, visitId: string): Promise<PaymentRow | undefined> {
  return tx
    .selectFrom('payment')
    .selectAll()
    .where('officeId', '=', officeId)
    .where('visitId', '=', visitId)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** The visit's newest payments, newest first. */
export function paymentsOfVisit(tx: Tx, officeId: string, visitId: string, most: number): Promise<PaymentRow[]> {
  return tx
    .selectFrom('payment')
    .selectAll()
    .where('officeId', '=', officeId)
    .where('visitId', '=', visitId)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(most)
    .execute();
}

/** The visit's payments that were charged, newest first, also those that were refunded. */
export function chargedPaymentsOf(tx: Tx, officeId: string, visitId: string, most: number): Promise<PaymentRow[]> {
  return tx
    .selectFrom('payment')
    .selectAll()
    .where('officeId', '=', officeId)
    .where('visitId', '=', visitId)
    .where((row) => row.or([row('state', '=', 'SUCCEEDED'), row('refundedCents', '>', 0)]))
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(most)
    .execute();
}

export async function changePayment(
  tx: Tx,
  { officeId, id }: Pick<PaymentRow, 'officeId' | 'id'>,
  changes: Updateable<DB['payment']>,
): Promise<PaymentRow> {
  return tx
    .updateTable('payment')
    .set(changes)
    .where('officeId', '=', officeId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Adds a refund; undefined if one with its id exists. */
export function insertRefund(tx: Tx, refund: Insertable<DB['paymentRefund']>): Promise<RefundRow | undefined> {
  return tx
    .insertInto('paymentRefund')
    .values(refund)
    .onConflict((known) => known.columns(['officeId', 'id']).doNothing())
    .returningAll()
    .executeTakeFirst();
}

export function refundById(tx: Tx, officeId: string, id: string): Promise<RefundRow | undefined> {
  return tx
    .selectFrom('paymentRefund')
    .selectAll()
    .where('officeId', '=', officeId)
    .where('id', '=', id)
    .executeTakeFirst();
}

/** The refunds of a payment, oldest first. */
export function refundsOf(tx: Tx, officeId: string, paymentId: string): Promise<RefundRow[]> {
  return tx
    .selectFrom('paymentRefund')
    .selectAll()
    .where('officeId', '=', officeId)
    .where('paymentId', '=', paymentId)
    .orderBy('createdAt')
    .orderBy('id')
    .execute();
}

type RefundChanges = Omit<Updateable<DB['paymentRefund']>, 'state'>;

/** Changes what is not the state of a refund. */
export async function changeRefund(
  tx: Tx,
  { officeId, id }: Pick<RefundRow, 'officeId' | 'id'>,
  changes: RefundChanges,
): Promise<void> {
  await tx.updateTable('paymentRefund').set(changes).where('officeId', '=', officeId).where('id', '=', id).execute();
}

/** Moves a refund; undefined if the contract's table does not allow it in the refund's state. */
export async function moveRefund(
  tx: Tx,
  { officeId, id }: Pick<RefundRow, 'officeId' | 'id'>,
  move: RefundMove,
  changes: RefundChanges = {},
): Promise<RefundRow | undefined> {
  return tx
    .updateTable('paymentRefund')
    .set({ ...changes, state: refundMoves[move].to })
    .where('officeId', '=', officeId)
    .where('id', '=', id)
    .where('state', 'in', refundMoves[move].from)
    .returningAll()
    .executeTakeFirst();
}

/** How many entries of the ledger a refund has. */
export async function entriesOfRefund(tx: Tx, { officeId, id }: Pick<RefundRow, 'officeId' | 'id'>): Promise<number> {
  const entries = await tx
    .selectFrom('moneyEntry')
    .select('id')
    .where('officeId', '=', officeId)
    .where('refundId', '=', id)
    .execute();
  return entries.length;
}

/** Writes one amount that moved into the ledger. */
export async function insertMoneyEntry(tx: Tx, entry: Insertable<DB['moneyEntry']>): Promise<void> {
  await tx.insertInto('moneyEntry').values(entry).execute();
}

export interface DueOperation {
  officeId: string;
  id: string;
  kind: 'payment' | 'refund';
}

/** The payments to look up at the provider now, in all offices. */
export async function dueOperations(pool: pg.Pool, now: Date, limit: number): Promise<DueOperation[]> {
  const { rows } = await pool.query<{ office_id: string; id: string; kind: DueOperation['kind'] }>(
    'select * from door_due_payments($1, $2)',
    [now, limit],
  );
  return rows.map(({ office_id: officeId, ...due }) => ({ officeId, ...due }));
}
