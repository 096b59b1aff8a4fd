import { chargedBefore, failedLater, mayMovePayment } from '#contract/copay.ts';
import { systemActor, type OfficeScope } from '#server/context.ts';
import { dayOf } from '#server/kit/day.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { officeRow } from '#server/office-row.ts';
import { ChargeRefused, ChargesUnavailable, type Transfer, type TransferKind } from '#server/providers/charges/port.ts';
import { chargeAfterAll, takeBackCharge } from './book-refund.ts';
import { failPaymentRow, isChargedBefore, noteChargedTwice, stopAskingAgain } from './charged-twice.ts';
import { openNotice, settleBounced } from './notice-sql.ts';
import { movePayment } from './payment-change.ts';
import { notSent } from './payment-shown.ts';
import { insertRecordings } from './recording-sql.ts';
import { changePayment, insertMoneyEntry, lockPayment, paymentById, type PaymentRow, type RefundRow } from './sql.ts';

/** After this time a call without an answer is looked up. Longer than the call itself may take. */
export const leaseMs = 60_000;
export const callMs = 30_000;
/** A charge that never reached the provider is sent again only while the patient still waits for it. */
const resendMs = 10 * 60_000;
/** Look-ups that may fail before a person is asked. */
const mostChecks = 6;

/** Our name for an operation at the payment provider. */
export const referenceOf = ({ officeId, id }: { officeId: string; id: string }) => `${officeId}.${id}`;

/** Sends a claimed charge to the provider and saves its answer. Without an answer the row stays claimed and is looked up later. */
export async function sendCharge(callerScope: OfficeScope, id: string): Promise<void> {
  const scope: OfficeScope = { ...callerScope, actor: systemActor };
  const row = await scope.transaction((tx) => chargeToSend(tx, scope, id));
  if (row === null || row.source === null) return;
  try {
    const transfer = await scope.providers.charges.charge({
      reference: referenceOf(row),
      merchant: row.merchant,
      amountCents: row.amountCents,
      source: row.source,
      saveSource: (source) => saveSource(scope, id, source),
      signal: AbortSignal.timeout(callMs),
    });
    await applyTransfer(scope, id, transfer);
  } catch (error) {
    if (error instanceof ChargeRefused) {
      if (error.isDeclined) return failPayment(scope, id, error.reason);
      scope.log.warn({ operation: id, reason: error.reason }, 'the payment provider refused a charge');
      return failPayment(scope, id, notSent);
    }
    if (!(error instanceof ChargesUnavailable)) throw error;
    // The answer is lost: look it up at once, and again by the job if the provider cannot tell now.
    await checkCharge(scope, id, { resend: false });
  }
}

/** Saves the source, so that another process can send the charge at once if this one dies. A charge that was decided meanwhile is not sent. */
async function saveSource(scope: OfficeScope, id: string, source: string): Promise<void> {
  await scope.transaction(async (tx) => {
    const row = await lockPayment(tx, scope.officeId, id);
    if (row?.state !== 'PENDING' || row.source === null) throw new ChargesUnavailable();
    await changePayment(tx, row, { source });
  });
}

/** The claimed charge; null if there is nothing to send, or no more: an earlier try was charged after all, and the patient must not pay twice. */
async function chargeToSend(tx: Tx, scope: OfficeScope, id: string): Promise<PaymentRow | null> {
  const row = await lockPayment(tx, scope.officeId, id);
  if (row?.state !== 'PENDING' || row.source === null) return null;
  if (!(await isChargedBefore(tx, row))) return row;
  // A call of a process that died may still be on its way.
  const ended = { endReason: chargedBefore, source: null, settledAt: scope.now(), checkAt: hourLater(scope) };
  await movePayment(tx, scope, row, 'stop', ended);
  return null;
}

/**
 * Finds out what became of a charge, by its reference. One that the provider surely does not have is sent again with the same idempotency
 * id while the patient waits, and has failed after that. If the provider cannot tell several times, a person has to find out.
 */
export async function checkCharge(
  callerScope: OfficeScope,
  id: string,
  { resend }: { resend: boolean },
): Promise<void> {
  const scope: OfficeScope = { ...callerScope, actor: systemActor };
  const row = await scope.transaction((tx) => paymentById(tx, scope.officeId, id));
  if (!row || row.claimedAt === null) return;
  const transfer = await findTransfer(scope, 'charge', row, row);
  if (transfer === 'unknown') return countFailedCheck(scope, id);
  if (transfer !== null) return applyTransfer(scope, id, transfer);
  const waitedMs = scope.now().getTime() - row.claimedAt.getTime();
  if (row.state === 'PENDING' && row.source !== null && waitedMs <= resendMs) {
    if (resend) await sendCharge(scope, id);
    return;
  }
  // The provider would have it by now: it was never sent.
  await noteNeverSent(scope, id);
}

/** The provider surely has no such charge: it has failed, also if a person has said otherwise. */
async function noteNeverSent(scope: OfficeScope, id: string): Promise<void> {
  await scope.transaction(async (tx) => {
    const row = await lockPayment(tx, scope.officeId, id);
    if (!row || row.transferId !== null) return;
    if (row.state === 'SUCCEEDED') await takeBackCharge(tx, scope, row);
    // It may still be on its way.
    const ended = { failure: notSent, source: null, settledAt: scope.now(), checkAt: hourLater(scope) };
    await failPaymentRow(tx, scope, row, 'fail', ended);
  });
}

/**
 * The provider's charge or refund of a payment; null if the provider definitely has none, `unknown` if it cannot tell or is no longer
 * configured.
 */
export async function findTransfer(
  scope: OfficeScope,
  kind: TransferKind,
  operation: { officeId: string; id: string; amountCents: number },
  { provider }: Pick<PaymentRow, 'provider'>,
): Promise<Transfer | null | 'unknown'> {
  const { charges } = scope.providers;
  if (provider !== charges.name) return 'unknown';
  const reference = referenceOf(operation);
  try {
    const transfer = await charges.find(reference);
    if (transfer === null || isOurs(transfer, { kind, reference, amountCents: operation.amountCents })) return transfer;
    scope.log.error({ operation: operation.id }, 'the payment provider answered with another operation');
    return 'unknown';
  } catch (error) {
    if (error instanceof ChargesUnavailable) return 'unknown';
    throw error;
  }
}

const isOurs = (transfer: Transfer, ours: { kind: TransferKind; reference: string; amountCents: number }) =>
  transfer.amountCents === ours.amountCents &&
  (transfer.kind === null || transfer.kind === ours.kind) &&
  (transfer.reference === null || transfer.reference === ours.reference);

/** Saves what the provider says about a charge. Repeated and late calls change nothing. */
export async function applyTransfer(scope: OfficeScope, id: string, transfer: Transfer): Promise<void> {
  if (transfer.state === 'UNKNOWN') return countFailedCheck(scope, id);
  await scope.transaction(async (tx) => {
    const row = await lockPayment(tx, scope.officeId, id);
    if (!row) return;
    const known = { transferId: transfer.transferId, cardBrand: transfer.card?.brand, cardLast4: transfer.card?.last4 };
    const settled = { ...known, source: null, settledAt: scope.now(), checkAt: null, checks: 0 };
    const isOver = transfer.state === 'FAILED' || transfer.state === 'CANCELLED';
    if (isOver && hasEndedUnnamed(row)) {
      // A person said that it was charged.
      if (row.state === 'SUCCEEDED') await takeBackCharge(tx, scope, row);
      await changePayment(tx, row, { checkAt: null });
      return;
    }
    if (isOver && row.state === 'SUCCEEDED' && row.transferId === transfer.transferId) {
      await takeBackCharge(tx, scope, row, failedLater);
      if (row.refundedCents === row.amountCents) return;
      const { transferId: key, failure, amountCents } = transfer;
      await openNotice(tx, scope, row, { kind: 'bounced', key, amountCents, state: failure });
      return;
    }
    switch (transfer.state) {
      case 'SUCCEEDED': {
        if (hasEndedUnnamed(row)) await changePayment(tx, row, { ...known, checkAt: null });
        // A voided payment's transfer stays what it was; its reversal is another one.
        if (row.state === 'CANCELLED' && row.refundedCents > 0) {
          await settleBounced(tx, row, scope.now());
          return chargeAfterAll(tx, scope, row);
        }
        if (mayMovePayment(row.state, 'succeed')) await stopAskingAgain(tx, scope, row);
        const charged = { ...settled, failure: null, endedBy: null, endReason: null };
        const moved = await movePayment(tx, scope, row, 'succeed', charged);
        if (moved) await bookCharge(tx, scope, moved);
        return;
      }
      case 'FAILED':
        await failPaymentRow(tx, scope, row, 'fail', { ...settled, failure: transfer.failure ?? 'declined' });
        return;
      case 'CANCELLED':
        await movePayment(tx, scope, row, 'cancel', settled);
        return;
      default:
        // The bank takes its time: the callback tells, and a look every hour.
        if (row.state === 'PENDING' || row.state === 'UNKNOWN') {
          const waiting = { ...known, source: null, checks: 0, checkAt: hourLater(scope) };
          // The provider has answered, so the to-do list no longer asks whether it was charged.
          if (row.state === 'UNKNOWN') await movePayment(tx, scope, row, 'find', waiting);
          else await changePayment(tx, row, waiting);
        }
    }
  });
}

/**
 * It has ended, and the provider has not named its transfer: it was never sent, or only a person has said how it ended. The provider is asked
 * for some days whether it says otherwise, unless it has refused it (no `checkAt`).
 */
export const hasEndedUnnamed = ({ state, transferId }: Pick<PaymentRow | RefundRow, 'state' | 'transferId'>) =>
  state !== 'PENDING' && state !== 'UNKNOWN' && transferId === null;

/** The payment with its transfer and card, as far as the provider can tell: whoever confirmed the charge by hand could not enter them. */
export async function withTransfer(scope: OfficeScope, payment: PaymentRow): Promise<PaymentRow> {
  if (payment.transferId !== null && payment.cardBrand !== null) return payment;
  const transfer = await findTransfer(scope, 'charge', payment, payment);
  if (transfer === null || transfer === 'unknown' || transfer.state !== 'SUCCEEDED') return payment;
  const { transferId, card } = transfer;
  const known = { transferId, cardBrand: card?.brand ?? null, cardLast4: card?.last4 ?? null };
  return scope.transaction((tx) => changePayment(tx, payment, known));
}

/** Writes a successful charge into the ledger, and what the practice software has to record. */
export async function bookCharge(tx: Tx, scope: OfficeScope, row: PaymentRow): Promise<void> {
  const { emr, timeZone } = await officeRow(tx, row.officeId);
  const at = scope.now();
  await insertMoneyEntry(tx, {
    officeId: row.officeId,
    id: scope.id(),
    paymentId: row.id,
    amountCents: row.amountCents,
    cardBrand: row.cardBrand,
    at,
    day: dayOf(at, timeZone),
  });
  await noteChargedTwice(tx, scope, row);
  if (!recordsPayments(emr)) return;
  const parts = [
    { part: 'copay' as const, amountCents: row.copayCents },
    { part: 'claims' as const, amountCents: row.claimsCents },
  ].filter(({ amountCents }) => amountCents > 0);
  await insertRecordings(
    tx,
    parts.map((part) => ({
      ...part,
      officeId: row.officeId,
      id: scope.id(),
      paymentId: row.id,
      state: 'due',
      createdAt: at,
      checkAt: at,
    })),
  );
}

/** Payments are recorded in this practice software only. */
export const recordsPayments = (emr: string) => emr === 'AthenaOne';

async function failPayment(scope: OfficeScope, id: string, failure: string): Promise<void> {
  await scope.transaction(async (tx) => {
    const row = await lockPayment(tx, scope.officeId, id);
    if (row)
      await failPaymentRow(tx, scope, row, 'fail', { failure, source: null, settledAt: scope.now(), checkAt: null });
  });
}

/** Checks after 10 seconds, then less and less often; after several failed ones a person is asked, and the checks go on every hour. */
async function countFailedCheck(scope: OfficeScope, id: string): Promise<void> {
  await scope.transaction(async (tx) => {
    const row = await lockPayment(tx, scope.officeId, id);
    if (!row || (row.state !== 'PENDING' && row.state !== 'UNKNOWN')) return;
    const checks = row.checks + 1;
    if (row.state === 'PENDING' && checks >= mostChecks) {
      await movePayment(tx, scope, row, 'loseTrack', { checks, source: null, checkAt: hourLater(scope) });
      return;
    }
    const checkAt = row.state === 'UNKNOWN' ? hourLater(scope) : later(scope, 10_000 * 2 ** Math.min(row.checks, 5));
    await changePayment(tx, row, { checks, checkAt });
  });
}

export const later = (scope: Pick<OfficeScope, 'now'>, ms: number) => new Date(scope.now().getTime() + ms);
export const hourLater = (scope: Pick<OfficeScope, 'now'>) => later(scope, 3_600_000);
