import { mayMoveRecording, mayMoveRefund, refundMoves } from '#contract/copay.ts';
import type { OpenQuestion } from '#contract/transactions.ts';
import type { OfficeCtx } from '#server/context.ts';
import { writeAuditEntry } from '#server/kit/audit.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { versionedReply, type ConditionalRequest, type VersionedReply } from '#server/kit/http/versioned-reply.ts';
import { takeBackRefund } from './book-refund.ts';
import { failPaymentRow, noteBothRight } from './charged-twice.ts';
import { centsToCorrect } from './in-practice-software.ts';
import { announcePayment, movePayment } from './payment-change.ts';
import { noteSeenTo } from './provider-news.ts';
import { requirePaymentIdentity } from './payment-identity.ts';
import { notSent } from './payment-shown.ts';
import { recordPart } from './record-payments.ts';
import { lockRecording, moveRecording, recordingById, recordingsOf } from './recording-sql.ts';
import { checkContradiction, checkRefund, endRefund } from './refunds.ts';
import { bookCharge, checkCharge, hourLater } from './send-charge.ts';
import { changePayment, changeRefund, lockPayment, paymentById, refundById } from './sql.ts';
import { numberOfQuestions, openQuestions } from './unknown-sql.ts';

interface Questions {
  questions: OpenQuestion[];
}

/** What a person has to find out at the payment provider or in the practice software. */
export async function listOpenQuestions(
  ctx: OfficeCtx,
  conditional: ConditionalRequest,
): Promise<VersionedReply<Questions>> {
  return ctx.transaction(async (tx) => {
    await requirePaymentIdentity(tx, ctx.officeId);
    const body = { questions: await openQuestions(tx, ctx.officeId) };
    const onSend = () => writeAuditEntry(tx, ctx, { action: 'payment.list', subject: 'unknown' });
    return versionedReply(body, conditional, { onSend });
  });
}

/** For the tab: how much there is to find out. It names nobody, so it is no entry in the audit log. */
export async function countOpenQuestions(
  ctx: OfficeCtx,
  conditional: ConditionalRequest,
): Promise<VersionedReply<{ count: number }>> {
  return ctx.transaction(async (tx) => {
    await requirePaymentIdentity(tx, ctx.officeId);
    return versionedReply({ count: await numberOfQuestions(tx, ctx.officeId) }, conditional);
  });
}

interface Answer {
  kind: OpenQuestion['kind'];
  id: string;
  happened: boolean;
  /** What the person saw; undefined from an older page. */
  amount?: number | undefined;
}

/** A person says whether it happened. The provider is asked once more first: if it can tell by now, its answer counts. */
export async function resolveQuestion(
  ctx: OfficeCtx,
  { kind, id, happened, amount: seenCents }: Answer,
): Promise<Questions> {
  await ctx.transaction((tx) => requirePaymentIdentity(tx, ctx.officeId));
  if (kind === 'payment') await resolvePayment(ctx, id, happened);
  else if (kind === 'refund') await resolveRefund(ctx, id, happened);
  else if (kind === 'contradiction') await resolveContradiction(ctx, id, happened);
  else if (kind === 'recording') await resolveRecording(ctx, id, happened);
  else if (happened) await sortOut[kind](ctx, id, seenCents);
  return ctx.transaction(async (tx) => ({ questions: await openQuestions(tx, ctx.officeId) }));
}

async function resolvePayment(ctx: OfficeCtx, id: string, happened: boolean): Promise<void> {
  const before = await ctx.transaction((tx) => paymentById(tx, ctx.officeId, id));
  if (!before) throw new Refusal('payment_not_found');
  if (before.state !== 'UNKNOWN') throw new Refusal('payment_changed');
  await checkCharge(ctx, id, { resend: false });
  await ctx.transaction(async (tx) => {
    const row = await lockPayment(tx, ctx.officeId, id);
    if (row?.state !== 'UNKNOWN') return;
    // The provider may say otherwise later. A transfer that it named while it was pending says nothing about the end.
    const ended = { endedBy: ctx.actor.name, settledAt: ctx.now(), transferId: null, checkAt: hourLater(ctx) };
    if (!happened) {
      await failPaymentRow(tx, ctx, row, 'confirmNotCharged', { ...ended, failure: notSent }, 'payment.resolve');
      return;
    }
    const charged = await movePayment(tx, ctx, row, 'confirmCharged', ended, 'payment.resolve');
    if (charged) await bookCharge(tx, ctx, charged);
  });
}

async function resolveRefund(ctx: OfficeCtx, id: string, happened: boolean): Promise<void> {
  const before = await ctx.transaction((tx) => refundById(tx, ctx.officeId, id));
  if (!before) throw new Refusal('payment_not_found');
  const move = happened ? 'confirmRefunded' : 'confirmNotRefunded';
  if (!mayMoveRefund(before.state, move)) throw new Refusal('payment_changed');
  await checkRefund(ctx, id, { resend: false });
  await endRefund(ctx, id, move);
}

/**
 * The provider has no such refund. It stays if the patient got the money in another way; else it is taken back, and can be made again: only
 * while the provider still says that it made none, because the patient would get the money twice.
 */
async function resolveContradiction(ctx: OfficeCtx, id: string, happened: boolean): Promise<void> {
  const before = await ctx.transaction((tx) => refundById(tx, ctx.officeId, id));
  if (!before) throw new Refusal('payment_not_found');
  if (before.contradiction !== 'open') throw new Refusal('payment_changed');
  const answer = await checkContradiction(ctx, id);
  if (answer === 'made') throw new Refusal('payment_changed');
  if (answer === 'unknown' && !happened) throw new Refusal('merchant_away');
  await ctx.transaction(async (tx) => {
    const known = await refundById(tx, ctx.officeId, id);
    const payment = known && (await lockPayment(tx, ctx.officeId, known.paymentId));
    const refund = payment && (await refundById(tx, ctx.officeId, id));
    if (!refund) throw new Refusal('payment_not_found');
    if (refund.contradiction !== 'open') throw new Refusal('payment_changed');
    const details = { refund: id, from: refund.state, to: happened ? refund.state : refundMoves.takeBack.to };
    await announcePayment(tx, ctx, payment, {
      action: 'payment.resolve',
      details: { ...details, cents: refund.amountCents },
    });
    if (happened) await changeRefund(tx, refund, { contradiction: 'kept' });
    else await takeBackRefund(tx, ctx, payment, refund);
  });
}

/** Staff have sorted out with the patient that the money came back twice. Nothing moves: the ledger has what the provider refunded. */
async function noteSortedOut(ctx: OfficeCtx, id: string): Promise<void> {
  await ctx.transaction(async (tx) => {
    const known = await refundById(tx, ctx.officeId, id);
    const payment = known && (await lockPayment(tx, ctx.officeId, known.paymentId));
    const refund = payment && (await refundById(tx, ctx.officeId, id));
    if (!refund) throw new Refusal('payment_not_found');
    if (refund.contradiction !== 'paid-twice') throw new Refusal('payment_changed');
    await changeRefund(tx, refund, { contradiction: 'kept' });
    const details = { refund: id, paidTwice: false, cents: refund.amountCents };
    await announcePayment(tx, ctx, payment, { action: 'payment.resolve', details });
  });
}

/** If the person says that the practice software does not have it, it is recorded now. */
async function resolveRecording(ctx: OfficeCtx, id: string, happened: boolean): Promise<void> {
  await ctx.transaction(async (tx) => {
    // The payment is locked first, as by everybody who changes its parts.
    const known = await recordingById(tx, ctx.officeId, id);
    const payment = known && (await lockPayment(tx, ctx.officeId, known.paymentId));
    const row = payment && (await lockRecording(tx, ctx.officeId, id));
    if (!row) throw new Refusal('payment_not_found');
    const move = happened ? 'confirmRecorded' : 'confirmMissing';
    if (!mayMoveRecording(row.state, move)) throw new Refusal('payment_changed');
    const changes = happened ? { recordedAt: ctx.now(), checkAt: null } : { checkAt: ctx.now() };
    await moveRecording(tx, row, move, { ...changes, problem: null });
    await announcePayment(tx, ctx, payment, { action: 'payment.resolve', details: { recording: id, happened } });
  });
  if (!happened) await recordPart(ctx, id);
}

/**
 * Staff have sorted out with the patient that they got more back than they paid. Nothing moves: the ledger has all of it. If it grew after
 * they looked, they are asked again, because nobody would ever see the rest.
 */
async function noteExcessSettled(ctx: OfficeCtx, chargeId: string, seenCents?: number): Promise<void> {
  await ctx.transaction(async (tx) => {
    const payment = await lockPayment(tx, ctx.officeId, chargeId);
    if (!payment) throw new Refusal('payment_not_found');
    const cents = payment.excessRefundedCents - payment.excessSettledCents;
    if (cents === 0 || cents !== (seenCents ?? cents)) throw new Refusal('payment_changed');
    await changePayment(tx, payment, { excessSettledCents: payment.excessRefundedCents });
    await announcePayment(tx, ctx, payment, { action: 'payment.resolve', details: { excessSettled: cents } });
  });
}

/** Staff have taken out of the practice software what was refunded. */
async function noteCorrection(ctx: OfficeCtx, chargeId: string, seenCents?: number): Promise<void> {
  await ctx.transaction(async (tx) => {
    const payment = await lockPayment(tx, ctx.officeId, chargeId);
    if (!payment) throw new Refusal('payment_not_found');
    const cents = centsToCorrect(payment, await recordingsOf(tx, ctx.officeId, [chargeId]));
    if (cents === 0 || cents !== (seenCents ?? cents)) throw new Refusal('payment_changed');
    await changePayment(tx, payment, { correctedCents: payment.correctedCents + cents });
    await announcePayment(tx, ctx, payment, { action: 'payment.resolve', details: { corrected: cents } });
  });
}

/** Questions with one answer. */
const sortOut = {
  'paid-twice': noteSortedOut,
  excess: noteExcessSettled,
  correction: noteCorrection,
  'charged-twice': noteBothRight,
  bounced: noteSeenTo,
  dispute: noteSeenTo,
};
