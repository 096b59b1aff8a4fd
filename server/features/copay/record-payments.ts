import { recordingMoves, type InPracticeSoftware } from '#contract/copay.ts';
import { systemActor, type OfficeScope } from '#server/context.ts';
import { writeAuditEntry } from '#server/kit/audit.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { officeRow } from '#server/office-row.ts';
import { RecordingRefused, RecordingUnknown } from '#server/providers/practice-software/port.ts';
import { inPracticeSoftware } from './in-practice-software.ts';
import { leaveOutRefunds } from './leave-out-refunds.ts';
import { announcePayment } from './payment-change.ts';
import {
  lockRecording,
  makeRefusedDue,
  moveRecording,
  recordingById,
  recordingsOf,
  visitToRecord,
  type RecordingRow,
} from './recording-sql.ts';
import { callMs, later, leaseMs, withTransfer } from './send-charge.ts';
import { lockPayment, paymentById, type PaymentRow } from './sql.ts';

const triesPerOffice = { name: 'record-office', points: 300, seconds: 3600 };
/** The department of an office that has not named one. */
const firstDepartment = '1';

/** Records what the practice software is missing of a charged payment, and nothing else. A part whose outcome is unknown waits for a person. */
export async function recordInAthena(
  ctx: OfficeScope,
  chargeId: string,
): Promise<InPracticeSoftware & { chargeId: string }> {
  await ctx.limits.take(triesPerOffice, ctx.officeId);
  const ready = await ctx.transaction(async (tx) => {
    const payment = await lockPayment(tx, ctx.officeId, chargeId);
    if (!payment) throw new Refusal('payment_not_found');
    if (payment.state !== 'SUCCEEDED') throw new Refusal('payment_not_charged');
    await writeAuditEntry(tx, ctx, {
      action: 'payment.record',
      subject: payment.visitId,
      details: { payment: chargeId },
    });
    return makeRefusedDue(tx, ctx.officeId, chargeId, ctx.now());
  });
  for (const id of ready) await recordPart(ctx, id);
  return ctx.transaction(async (tx) => {
    const payment = await paymentById(tx, ctx.officeId, chargeId);
    if (!payment) throw new Refusal('payment_not_found');
    return { chargeId, ...inPracticeSoftware(payment, await recordingsOf(tx, ctx.officeId, [chargeId])) };
  });
}

/**
 * Records one part, once: the claim is committed before the call, so that two callers never both send it. Whoever was killed between the
 * claim and the answer leaves a part that may be recorded or not: it becomes unknown and is never sent again by itself. Returns false if the
 * practice software did not answer.
 */
export async function recordPart(callerScope: OfficeScope, id: string): Promise<boolean> {
  const scope: OfficeScope = { ...callerScope, actor: systemActor };
  const claimed = await claimPart(scope, id);
  if (!claimed) return true;
  const { recording, payment } = claimed;
  try {
    const { recordId } = await callPracticeSoftware(scope, claimed);
    await settlePart(scope, payment, recording.id, 'record', { recordId, recordedAt: scope.now() });
    return true;
  } catch (error) {
    if (error instanceof RecordingRefused) {
      await settlePart(scope, payment, recording.id, 'refuse', { problem: error.problem });
      return error.isReached;
    }
    if (!(error instanceof RecordingUnknown)) throw error;
    await settlePart(scope, payment, recording.id, 'loseTrack');
    return false;
  }
}

interface ClaimedPart {
  recording: RecordingRow;
  payment: PaymentRow;
}

function claimPart(scope: OfficeScope, id: string): Promise<ClaimedPart | null> {
  return scope.transaction(async (tx) => {
    const known = await recordingById(tx, scope.officeId, id);
    const payment = known && (await lockPayment(tx, scope.officeId, known.paymentId));
    if (!payment) return null;
    await leaveOutRefunds(tx, payment);
    const recording = await lockRecording(tx, scope.officeId, id);
    if (!recording?.checkAt || recording.checkAt > scope.now()) return null;
    if (recording.state === 'sending') {
      await moveRecording(tx, recording, 'loseTrack', { checkAt: null });
      await announcePart(tx, scope, payment, recordingMoves.loseTrack.to);
      return null;
    }
    const checkAt = later(scope, leaseMs);
    const isClaimed = await moveRecording(tx, recording, 'claim', { tries: recording.tries + 1, checkAt });
    return isClaimed ? { recording, payment } : null;
  });
}

async function callPracticeSoftware(scope: OfficeScope, { recording, payment: claimed }: ClaimedPart) {
  // A person confirmed the charge, and the provider may be able to name the card by now.
  const payment = await withTransfer(scope, claimed);
  const { npi, visit, practiceNumber, department } = await scope.transaction(async (tx) => {
    const office = await officeRow(tx, scope.officeId);
    const { athenaPractice, athenaDepartment } = office.settings;
    return {
      npi: office.npi,
      visit: await visitToRecord(tx, scope.officeId, payment.visitId),
      practiceNumber: numberOf(athenaPractice),
      department: numberOf(athenaDepartment) ?? firstDepartment,
    };
  });
  return scope.providers.practiceSoftware.record({
    practice: npi,
    practiceNumber,
    department,
    patient: { userCode: visit.userCode, name: payment.patientName, number: visit.practiceNumber },
    appointment: { reference: visit.id, day: visit.day },
    part: recording.part,
    amountCents: recording.amountCents,
    card: { brand: payment.cardBrand ?? '', last4: payment.cardLast4 },
    note: `${scope.env.productName} ${payment.id}`,
    signal: AbortSignal.timeout(callMs),
  });
}

/** A number that an operator has set; the command stores digits as a number. */
function numberOf(setting: unknown): string | null {
  return typeof setting === 'string' || typeof setting === 'number' ? String(setting) : null;
}

async function settlePart(
  scope: OfficeScope,
  payment: PaymentRow,
  id: string,
  move: 'record' | 'refuse' | 'loseTrack',
  changes: { problem?: string; recordId?: string | null; recordedAt?: Date } = {},
): Promise<void> {
  await scope.transaction(async (tx) => {
    const current = await lockPayment(tx, scope.officeId, payment.id);
    const isMoved = await moveRecording(tx, { officeId: scope.officeId, id }, move, { ...changes, checkAt: null });
    if (!isMoved) return;
    // What was refunded while it was being sent, and was refused, is not missing.
    if (current && move === 'refuse') await leaveOutRefunds(tx, current);
    await announcePart(tx, scope, payment, recordingMoves[move].to);
  });
}

function announcePart(tx: Tx, scope: OfficeScope, payment: PaymentRow, state: string): Promise<void> {
  return announcePayment(tx, scope, payment, { action: 'payment.record', details: { to: state } });
}
