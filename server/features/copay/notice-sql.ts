import type { Selectable } from 'kysely';
import type { DB } from '#db/tables.ts';
import type { OfficeScope } from '#server/context.ts';
import type { Tx } from '#server/kit/db/db.ts';
import type { PaymentRow } from './sql.ts';

export type NoticeRow = Selectable<DB['paymentNotice']>;

/** States of a dispute after which nothing else comes. */
const finalStates = ['WON', 'LOST'];

/**
 * Notes what the provider reports about a locked payment; true if a person has to see to it, which they do not know yet. A dispute that was won
 * needs nobody; one that was lost is asked about again. An older report after the end changes nothing.
 */
export async function openNotice(
  tx: Tx,
  scope: Pick<OfficeScope, 'id' | 'now'>,
  { officeId, id: paymentId }: PaymentRow,
  notice: Pick<NoticeRow, 'kind' | 'key' | 'amountCents' | 'state'>,
): Promise<boolean> {
  const known = await noticesOf(tx, officeId, paymentId)
    .where('kind', '=', notice.kind)
    .where('key', '=', notice.key)
    .executeTakeFirst();
  const isWon = notice.state === 'WON';
  if (!known) {
    const at = scope.now();
    const settledAt = isWon ? at : null;
    await tx
      .insertInto('paymentNotice')
      .values({ ...notice, officeId, id: scope.id(), paymentId, createdAt: at, settledAt })
      .execute();
    return !isWon;
  }
  if (known.state === notice.state ? notice.kind === 'dispute' : finalStates.includes(known.state ?? '')) return false;
  const isOpen = notice.kind === 'bounced' || notice.state === 'LOST';
  const settledAt = isWon ? scope.now() : isOpen ? null : known.settledAt;
  await tx
    .updateTable('paymentNotice')
    .set({ state: notice.state, amountCents: notice.amountCents, settledAt })
    .where('officeId', '=', officeId)
    .where('id', '=', known.id)
    .execute();
  return isOpen;
}

const noticesOf = (tx: Tx, officeId: string, paymentId: string) =>
  tx.selectFrom('paymentNotice').selectAll().where('officeId', '=', officeId).where('paymentId', '=', paymentId);

export function noticeById(tx: Tx, officeId: string, id: string): Promise<NoticeRow | undefined> {
  return tx
    .selectFrom('paymentNotice')
    .selectAll()
    .where('officeId', '=', officeId)
    .where('id', '=', id)
    .executeTakeFirst();
}

/** Settles an open notice; false if it is settled. */
export async function settleNotice(
  tx: Tx,
  { officeId, id }: Pick<NoticeRow, 'officeId' | 'id'>,
  settledAt: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('paymentNotice')
    .set({ settledAt })
    .where('officeId', '=', officeId)
    .where('id', '=', id)
    .where('settledAt', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** A charge that bounced was made after all: there is nothing to see to. */
export async function settleBounced(tx: Tx, { officeId, id }: PaymentRow, settledAt: Date): Promise<void> {
  await tx
    .updateTable('paymentNotice')
    .set({ settledAt })
    .where('officeId', '=', officeId)
    .where('paymentId', '=', id)
    .where('kind', '=', 'bounced')
    .where('settledAt', 'is', null)
    .execute();
}

/** Whether something that the provider reported about a payment is open. */
export async function hasOpenNotice(tx: Tx, { officeId, id }: PaymentRow): Promise<boolean> {
  return (await noticesOf(tx, officeId, id).where('settledAt', 'is', null).executeTakeFirst()) !== undefined;
}
