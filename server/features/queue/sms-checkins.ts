import { endingMove, inviteAgainMove, isHistory } from '#contract/queue.ts';
import { smsLabelOf, smsStatusOf, type SmsCheckin, type SmsStatus } from '#contract/sms-checkin.ts';
import type { OfficeCtx } from '#server/context.ts';
import { cancelUnsentTexts, refuseBlockedNumber } from '#server/features/texting/index.ts';
import { writeAuditEntry } from '#server/kit/audit.ts';
import { parseDay } from '#server/kit/day.ts';
import { usPhone } from '#server/kit/phone.ts';
import { isOwnOfficeName } from '#server/own-office-name.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { versionedReply, type ConditionalRequest, type VersionedReply } from '#server/kit/http/versioned-reply.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { runTogether } from '#server/kit/db/statements.ts';
import { expectPatient } from './arrivals.ts';
import { visitChangeStatements } from './after-change.ts';
import { checkinRows, type CheckinRow } from './sms-checkin-sql.ts';
import { endLinks } from './visit-link-sql.ts';
import { linkTextStatements } from './messages.ts';
import { entryOf, lockVisit, type VisitRow } from './sql.ts';
import { makeMove, moveVisit, todayOf } from './make-move.ts';

/** Today's open check-ins, or one day's history. */
export async function listSmsCheckins(
  ctx: OfficeCtx,
  { officeId, historyOf }: { officeId: string; historyOf?: string },
  conditional: ConditionalRequest,
): Promise<VersionedReply<SmsCheckin[]>> {
  const day = historyOf === undefined ? null : parseDay(historyOf, 'YYYYMMDD');
  if (historyOf !== undefined && day === null) throw new Refusal('invalid_input');
  return ctx.transaction(async (tx) => {
    await refuseOtherOffice(tx, ctx, officeId);
    const rows = await checkinRows(tx, ctx.officeId)
      .where('v.day', '=', day ?? (await todayOf(tx, ctx)))
      // Expected patients come last.
      .orderBy('v.arrivedAt')
      .orderBy('v.createdAt')
      .orderBy('v.id')
      .execute();
    const body = rows.map(toCheckin).filter((row) => (row.status === 'HISTORY') === (day !== null));
    const onSend = () => writeAuditEntry(tx, ctx, { action: 'queue.read', subject: 'sms-checkins' });
    return versionedReply(body, conditional, { onSend });
  });
}

/** Expects a patient: writes the visit, its link and its text in one transaction. */
export async function addCheckin(
  ctx: OfficeCtx,
  request: { text?: string | undefined; phone: string; officeId?: string | undefined },
): Promise<SmsCheckin> {
  const phone = usPhone(request.phone);
  if (!phone) throw new Refusal('invalid_phone');
  return ctx.transaction(async (tx) => {
    if (request.officeId !== undefined) await refuseOtherOffice(tx, ctx, request.officeId);
    await refuseBlockedNumber(tx, ctx.officeId, phone);
    return readCheckin(tx, ctx.officeId, await expectPatient(tx, ctx, phone, request.text));
  });
}

/** Patients who were texted today and have not arrived. An empty list discloses nobody, so it gets no audit entry. */
export async function listExpected(
  ctx: OfficeCtx,
  officeId: string,
  conditional: ConditionalRequest,
): Promise<VersionedReply<SmsCheckin[]>> {
  return ctx.transaction(async (tx) => {
    await refuseOtherOffice(tx, ctx, officeId);
    const rows = await checkinRows(tx, ctx.officeId)
      .where('v.day', '=', await todayOf(tx, ctx))
      .where('v.status', '=', 'EXPECTED')
      .orderBy('v.createdAt')
      .orderBy('v.id')
      .execute();
    return versionedReply(rows.map(toCheckin), conditional, {
      onSend: async () => rows.length > 0 && writeAuditEntry(tx, ctx, { action: 'queue.read', subject: 'expected' }),
    });
  });
}

/** Corrects an expected patient's number. Ends the visit of the wrong number and the link that was texted there. */
export async function correctCheckin(
  ctx: OfficeCtx,
  { id, text, ...asked }: { id: string; phone: string; text?: string | undefined },
): Promise<SmsCheckin> {
  const phone = usPhone(asked.phone);
  if (!phone) throw new Refusal('invalid_phone');
  return ctx.transaction(async (tx) => {
    const visit = await expectedVisit(tx, ctx, id);
    if (visit.phone === phone) throw new Refusal('visit_running');
    await refuseBlockedNumber(tx, ctx.officeId, phone);
    await makeMove(tx, ctx, visit, 'remove', { reason: 'cancelled' });
    await cancelUnsentTexts(tx, ctx.officeId, visit.id);
    await endLinks(tx, ctx, visit.id);
    return readCheckin(tx, ctx.officeId, await expectPatient(tx, ctx, phone, text));
  });
}

/** An expected visit of today, locked. */
async function expectedVisit(tx: Tx, ctx: OfficeCtx, id: string): Promise<VisitRow> {
  const visit = await lockVisit(tx, ctx.officeId, id);
  if (!visit) throw new Refusal('visit_not_found');
  if (visit.status !== 'EXPECTED') throw new Refusal('visit_moved_on', await entryOf(tx, ctx.officeId, id));
  if (visit.day !== (await todayOf(tx, ctx))) throw new Refusal('visit_not_today');
  return visit;
}

/** ENTER invites, HISTORY ends the visit, WAIT marks an expected patient as arrived. */
export async function updateCheckin(
  ctx: OfficeCtx,
  { id, version, status }: { id: string; version?: number | undefined; status: SmsStatus },
): Promise<SmsCheckin> {
  const pick = (visit: VisitRow) => {
    if (status === 'ENTER') return 'invite';
    if (status === 'WAIT') return 'arrive';
    return endingMove(visit.status);
  };
  await moveVisit(ctx, id, pick, { version });
  return ctx.transaction((tx) => readCheckin(tx, ctx.officeId, id));
}

/** Reinvites the patient; the status stays. */
export async function reinviteCheckin(
  ctx: OfficeCtx,
  { id, version }: { id: string; version?: number | undefined },
): Promise<SmsCheckin> {
  await moveVisit(ctx, id, (visit) => inviteAgainMove(visit.status), { version });
  return ctx.transaction((tx) => readCheckin(tx, ctx.officeId, id));
}

/** Texts an expected patient the check-in link again. */
export async function resendCheckin(ctx: OfficeCtx, id: string): Promise<SmsCheckin> {
  return ctx.transaction(async (tx) => {
    const visit = await expectedVisit(tx, ctx, id);
    await refuseBlockedNumber(tx, ctx.officeId, visit.phone);
    const texted = await linkTextStatements(tx, ctx, visit, 'expect');
    await runTogether(tx, texted, visitChangeStatements(tx, ctx, visit, { action: 'visit.link', hint: 'message' }));
    return readCheckin(tx, ctx.officeId, id);
  });
}

async function refuseOtherOffice(tx: Tx, ctx: OfficeCtx, officeId: string): Promise<void> {
  if (!(await isOwnOfficeName(tx, ctx, officeId))) throw new Refusal('office_not_found');
}

async function readCheckin(tx: Tx, officeId: string, id: string): Promise<SmsCheckin> {
  return toCheckin(await checkinRows(tx, officeId).where('v.id', '=', id).executeTakeFirstOrThrow());
}

function toCheckin(row: CheckinRow): SmsCheckin {
  const { status } = row;
  return {
    _id: row.id,
    status: smsStatusOf(status),
    statusCode: status,
    label: smsLabelOf(status, row.autoInviteAt !== null && !isHistory(status)),
    endReason: row.endReason,
    createdAt: (row.arrivedAt ?? row.createdAt).toISOString(),
    arrivedAt: row.arrivedAt?.toISOString() ?? null,
    autoInviteAt: status === 'WAITING' ? (row.autoInviteAt?.toISOString() ?? null) : null,
    ...newestTextOf(row),
    textBlock: row.textBlock,
    version: row.version,
    patientId: { first_name: row.firstName, last_name: row.lastName, phone: row.phone },
  };
}

function newestTextOf(row: CheckinRow): Pick<SmsCheckin, 'text' | 'textSentAt'> {
  if (row.text === null) return { text: null, textSentAt: null };
  const { sentAt: textSentAt, ...text } = row.text;
  return { text, textSentAt };
}
