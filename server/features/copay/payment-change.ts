import { mayMovePayment, paymentMoves, type PaymentMove } from '#contract/copay.ts';
import type { OfficeScope } from '#server/context.ts';
import { dayOfVisit } from '#server/features/queue/index.ts';
import { announceTextChange, moveText, noteTextOutcomes } from '#server/features/texting/index.ts';
import { writeAuditEntry, type NewAuditEntry } from '#server/kit/audit.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { runTogether } from '#server/kit/db/statements.ts';
import { bumpQueue } from '#server/queue-version.ts';
import { changePayment, type PaymentRow } from './sql.ts';

type Changes = Parameters<typeof changePayment>[2];

/** After these, the text that asked for the payment would ask for nothing. */
const endRequest: PaymentMove[] = ['withdraw', 'succeed', 'confirmCharged'];

/** Moves a locked payment, if the contract's table allows it, and announces it; null if it may not move. */
export async function movePayment(
  tx: Tx,
  scope: OfficeScope,
  row: PaymentRow,
  move: PaymentMove,
  changes: Omit<Changes, 'state'> = {},
  action: NewAuditEntry['action'] = 'payment.settle',
): Promise<PaymentRow | null> {
  if (!mayMovePayment(row.state, move)) return null;
  const { to } = paymentMoves[move];
  // A text is locked before the queue's version, and a conversation after it, as by every other text.
  const canceledText = endRequest.includes(move) ? await cancelRequestText(tx, row) : null;
  const moved = await changePayment(tx, row, { ...changes, state: to });
  await announcePayment(tx, scope, row, { action, details: { move, from: row.state, to, cents: row.amountCents } });
  if (canceledText !== null) {
    await announceTextChange(tx, row.officeId, [row.visitId]);
    await noteTextOutcomes(tx, row.officeId, [canceledText], false);
  }
  return moved;
}

/** Cancels the text that asked for the payment if it still waits; returns its id. */
async function cancelRequestText(tx: Tx, { officeId, textId }: PaymentRow): Promise<string | null> {
  return textId !== null && (await moveText(tx, { officeId, id: textId }, 'cancel')) ? textId : null;
}

/** What each change of a payment ends with: the queue's next version, an audit entry and its hints. */
export async function announcePayment(
  tx: Tx,
  scope: OfficeScope,
  row: Pick<PaymentRow, 'officeId' | 'id' | 'visitId'>,
  entry: Omit<NewAuditEntry, 'subject'>,
): Promise<void> {
  await writeAuditEntry(tx, scope, { ...entry, subject: row.visitId, details: { payment: row.id, ...entry.details } });
  const day = await dayOfVisit(tx, row.officeId, row.visitId);
  if (day) await bumpQueue(tx, row.officeId, day, [row.visitId]);
  // The second is for the list of payments, which is not read again for everything else that moves a visit.
  const hints = [
    { office: row.officeId, visit: row.visitId, type: 'checkin' },
    { office: row.officeId, type: 'payment' },
  ];
  await runTogether(tx, { statements: [], hints });
}
