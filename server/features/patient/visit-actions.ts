import { createHash } from 'node:crypto';
import { isHistory, mayMove, type QueueEntry } from '#contract/queue.ts';
import type { Arrival, PatientAction, PatientVisit } from '#contract/patient.ts';
import type { OfficeScope, VisitCtx } from '#server/context.ts';
import {
  accessOf,
  arriveExpected,
  bumpQueue,
  lockVisit,
  makeMove,
  messagesOf,
  queuePositionOf,
  raiseHand,
  todayOf,
  type LinkScope,
  type VisitRow,
} from '#server/features/queue/index.ts';
import { writeAuditEntry } from '#server/kit/audit.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { onceIn } from '#server/kit/http/idempotency.ts';
import { sendHint } from '#server/kit/db/statements.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { frontOf } from './office-front.ts';
import { holdVisit, holdWhileRunning } from './visit-cookie.ts';
import { partyOf } from './party.ts';

type VisitScope = OfficeScope & LinkScope;

/** A hand raised less than this ago need not be raised again. */
const handSeconds = 60;

/**
 * The visit as its patient sees it, and the tag of what it shows; `page` is null when the patient has just that (`known`): it
 * discloses nothing. The first look of a page that runs (`live`) tells the desk that a phone has it open.
 */
export async function lookAtVisit(
  ctx: VisitScope,
  { live, known }: { live: boolean; known?: string | undefined },
): Promise<{ etag: string; page: PatientVisit | null }> {
  return ctx.transaction(async (tx) => {
    const visit = await find(tx, ctx);
    if (live && visit.phoneSeenAt === null) await notePhone(tx, ctx, visit);
    const page = await pageOf(tx, ctx, visit);
    const etag = etagOf(page);
    if (etag === known) return { etag, page: null };
    await writeAuditEntry(tx, ctx, { action: 'visit.read-by-patient', subject: ctx.visitId });
    return { etag, page };
  });
}

async function notePhone(tx: Tx, ctx: VisitScope, visit: VisitRow): Promise<void> {
  await tx
    .updateTable('visit')
    .set({ phoneSeenAt: ctx.now() })
    .where('officeId', '=', ctx.officeId)
    .where('id', '=', visit.id)
    .execute();
  await bumpQueue(tx, ctx.officeId, visit.day);
  await sendHint(tx, { office: ctx.officeId, type: 'checkin' });
}

/** On my way, I'm in, Cancel: moves of the contract. Still waiting? raises the card. A retry with the same key changes nothing more. */
export async function movePatientVisit(ctx: VisitCtx, action: PatientAction): Promise<PatientVisit> {
  const key = ctx.http.header('idempotency-key');
  if (key !== undefined && key.length > 200) throw new Refusal('invalid_input');
  const page = await ctx.transaction(async (tx) => {
    const visit = await findLocked(tx, ctx);
    if (accessOf(visit, ctx) === 'status') throw await notProved(tx, ctx, visit);
    const act = async () => {
      await (action === 'stillWaiting' ? askAgain(tx, ctx, visit) : move(tx, ctx, visit, action));
      return null;
    };
    if (key)
      await onceIn(tx, { officeId: ctx.officeId, scope: `visit:${visit.id}`, key, body: action, at: ctx.now() }, act);
    else await act();
    return pageOf(tx, ctx, await find(tx, ctx));
  });
  holdWhileRunning(ctx, page);
  return page;
}

async function move(tx: Tx, ctx: VisitCtx, visit: VisitRow, action: 'onMyWay' | 'imIn' | 'cancel'): Promise<void> {
  if (!mayMove({ statusCode: visit.status }, action)) throw await movedOn(tx, ctx, visit);
  if (action !== 'cancel' && visit.day !== (await todayOf(tx, ctx))) throw await overtaken(tx, ctx, visit);
  await makeMove(tx, ctx, visit, action);
}

async function askAgain(tx: Tx, ctx: VisitCtx, visit: VisitRow): Promise<void> {
  if (visit.status !== 'WAITING') throw await movedOn(tx, ctx, visit);
  if (visit.day !== (await todayOf(tx, ctx))) throw await overtaken(tx, ctx, visit);
  const raisedMs = ctx.now().getTime() - (visit.stillWaitingAt?.getTime() ?? 0);
  if (raisedMs >= handSeconds * 1000) await raiseHand(tx, ctx, visit);
}

/** A patient is shown their own page with the refusal, never the desk's entry. */
const movedOn = async (tx: Tx, ctx: VisitScope, visit: VisitRow) =>
  new Refusal('visit_moved_on', await pageOf(tx, ctx, visit));
const notProved = async (tx: Tx, ctx: VisitScope, visit: VisitRow) =>
  new Refusal('link_not_proved', await pageOf(tx, ctx, visit));
const overtaken = async (tx: Tx, ctx: VisitScope, visit: VisitRow) =>
  new Refusal('visit_not_today', await pageOf(tx, ctx, visit));

/** "I'm here" from a texted link. */
export async function arriveByLink(ctx: VisitCtx, given: Omit<Arrival, 'phone'>): Promise<PatientVisit> {
  const arrived = await ctx.transaction(async (tx) => {
    const visit = await findLocked(tx, ctx);
    if (!ctx.proved) throw await notProved(tx, ctx, visit);
    if (!mayMove({ statusCode: visit.status }, 'arrive')) throw await movedOn(tx, ctx, visit);
    if (visit.day !== (await todayOf(tx, ctx))) throw await overtaken(tx, ctx, visit);
    const front = await frontOf(tx, ctx);
    const party = partyOf(given, ctx.now(), front.timeZone);
    if (!front.isOpen) throw new Refusal('office_closed');
    await arriveExpected(tx, ctx, visit.id, party);
    return pageOf(tx, ctx, await find(tx, ctx));
  });
  holdVisit(ctx, ctx.officeId, ctx.token);
  return arrived;
}

/** The language of this patient's page and texts; with an unproved link of this visit's only. */
export async function setLanguage(ctx: VisitCtx, language: 'en' | 'es'): Promise<PatientVisit> {
  return ctx.transaction(async (tx) => {
    const visit = await findLocked(tx, ctx);
    if (accessOf(visit, ctx) === 'status') throw await notProved(tx, ctx, visit);
    const own = { officeId: ctx.officeId, visit: visit.id, patient: visit.patientId };
    await tx
      .updateTable('visit')
      .set({ language })
      .where('officeId', '=', own.officeId)
      .where('id', '=', own.visit)
      .execute();
    if (ctx.proved)
      await tx
        .updateTable('patient')
        .set({ language })
        .where('officeId', '=', own.officeId)
        .where('id', '=', own.patient)
        .execute();
    await bumpQueue(tx, ctx.officeId, visit.day);
    await writeAuditEntry(tx, ctx, { action: 'visit.language', subject: visit.id, details: { language } });
    await sendHint(tx, { office: ctx.officeId, visit: visit.id, type: 'checkin' });
    return pageOf(tx, ctx, await find(tx, ctx));
  });
}

async function findLocked(tx: Tx, ctx: VisitScope): Promise<VisitRow> {
  const visit = await lockVisit(tx, ctx.officeId, ctx.visitId);
  if (!visit) throw new Refusal('visit_link_ended');
  return visit;
}

async function find(tx: Tx, { officeId, visitId }: VisitScope): Promise<VisitRow> {
  const found = await tx
    .selectFrom('visit')
    .selectAll()
    .where('officeId', '=', officeId)
    .where('id', '=', visitId)
    .executeTakeFirst();
  if (!found) throw new Refusal('visit_link_ended');
  return found as VisitRow;
}

async function pageOf(tx: Tx, scope: VisitScope, visit: VisitRow): Promise<PatientVisit> {
  const { officeName, npi, address, timeZone, isOpen, now } = await frontOf(tx, scope);
  const members = await tx
    .selectFrom('visitMember')
    .select(['firstName', 'lastName'])
    .where('officeId', '=', scope.officeId)
    .where('visitId', '=', visit.id)
    .orderBy('position')
    .execute();
  const access = accessOf(visit, scope);
  const written = await messagesOf(tx, scope.officeId, visit.id);
  const messages = access === 'all' ? written : [];
  const waits = visit.status === 'WAITING';
  return {
    access,
    officeName,
    npi,
    address,
    timeZone,
    firstName: access === 'status' ? '' : visit.firstName,
    members: (access === 'status' ? [] : members).map((m) => ({ name: `${m.firstName} ${m.lastName}` })),
    statusCode: visit.status,
    version: visit.version,
    place: waits ? await queuePositionOf(tx, visit) : null,
    createdAt: (visit.arrivedAt ?? visit.createdAt).toISOString(),
    statusAt: visit.statusAt.toISOString(),
    autoInviteAt: waits ? (visit.autoInviteAt?.toISOString() ?? null) : null,
    stillWaitingAt: visit.stillWaitingAt?.toISOString() ?? null,
    endReason: isHistory(visit.status) ? (visit.endReason as QueueEntry['endReason']) : null,
    language: visit.language === 'es' ? 'es' : 'en',
    messages: messages
      .filter((m) => m.kind === 'message')
      .map((m) => ({ id: m.id, at: m.at.toISOString(), from: m.sender as 'office' | 'patient', body: m.body })),
    hasHiddenTexts: access !== 'all' && written.some(wasTexted),
    isToday: visit.day === (await todayOf(tx, scope)),
    mayCheckInAgain: isOpen,
    now,
  };
}

/** Somebody at the desk wrote it, and its text left or is about to. */
function wasTexted({ kind, sender, state }: Awaited<ReturnType<typeof messagesOf>>[number]): boolean {
  return (
    kind === 'message' && sender === 'office' && state !== null && !['failed', 'held', 'cancelled'].includes(state)
  );
}

/** A tag of all the page shows but the clock. */
function etagOf({ now: _, ...shown }: PatientVisit): string {
  return `"${createHash('sha256').update(JSON.stringify(shown)).digest('base64url').slice(0, 22)}"`;
}
