import { isHistory, mayMove } from '#contract/queue.ts';
import type { Arrival } from '#contract/patient/check-in.ts';
import type { PatientAction, PatientVisit } from '#contract/patient/visit.ts';
import type { AnyoneCtx, OfficeScope, VisitCtx } from '#server/context.ts';
import {
  accessOf,
  arriveExpected,
  hasTextOfDesk,
  lockVisit,
  makeMove,
  newestMessagesOf,
  queuePositionOf,
  markStillWaiting,
  nameArrived,
  todayOf,
  type LinkScope,
  type VisitRow,
} from '#server/features/queue/index.ts';
import { missingPictureOf, textBlockOf } from '#server/features/texting/index.ts';
import { patientPayments } from '#server/features/copay/index.ts';
import { writeAuditEntry } from '#server/kit/audit.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { onceInTransaction } from '#server/kit/http/idempotency.ts';
import { sendHint } from '#server/kit/db/statements.ts';
import { takeInTransaction, type Limit } from '#server/kit/http/rate-limits.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { versionedReply, type ConditionalRequest } from '#server/kit/http/versioned-reply.ts';
import { officeRow } from '#server/office-row.ts';
import { bumpQueue } from '#server/queue-version.ts';
import { officeFrontOf } from './office-front.ts';
import { findVisit, membersOf, setPatientLanguage, setPhone, setVisitLanguage } from './sql.ts';
import { setVisitCookie, updateVisitCookie } from './visit-cookie.ts';
import { partyOf } from './party.ts';

type VisitScope = OfficeScope & LinkScope & Pick<AnyoneCtx, 'http'>;

/** "Still waiting?" again within this time changes nothing. */
const stillWaitingSeconds = 60;

/**
 * The visit as its patient sees it, and its ETag. `page` is null if the caller has it already: then nothing is disclosed. A read by an open
 * page (`live`) tells the desk that a phone has it open, and whether that page is out of date.
 */
export async function readVisitPage(
  ctx: VisitScope,
  { live, conditional }: { live: boolean; conditional?: ConditionalRequest },
): Promise<{ etag: string; page: PatientVisit | null }> {
  return ctx.transaction(async (tx) => {
    const visit = await linkedVisit(tx, ctx);
    if (live) await notePhone(tx, ctx, visit);
    const page = await pageOf(tx, ctx, visit);
    const { now: _, ...version } = page;
    const onSend = () => writeAuditEntry(tx, ctx, { action: 'visit.read-by-patient', subject: ctx.visitId });
    const { etag, body } = await versionedReply(page, conditional ?? null, { onSend, version });
    return { etag, page: body };
  });
}

/** Two phones of one visit may have pages of different builds: the desks do not learn of each of their reads. */
const buildChanges = { name: 'phone-build', points: 1, seconds: 300 } as const satisfies Limit;

async function notePhone(tx: Tx, ctx: VisitScope, visit: VisitRow): Promise<void> {
  const phoneOutdated = await outdatedNow(tx, ctx, visit);
  if (visit.phoneSeenAt !== null && phoneOutdated === visit.phoneOutdated) return;
  await setPhone(tx, ctx.officeId, visit.id, { phoneSeenAt: visit.phoneSeenAt ?? ctx.now(), phoneOutdated });
  await bumpQueue(tx, ctx.officeId, visit.day, [visit.id]);
  await sendHint(tx, { office: ctx.officeId, type: 'checkin' });
}

/** Whether the visit's page is out of date, as a page says that may do more than show the status. */
async function outdatedNow(tx: Tx, ctx: VisitScope, visit: VisitRow): Promise<boolean> {
  const outdated = accessOf(visit, ctx) === 'status' ? null : isOutdated(ctx);
  if (outdated === null || outdated === visit.phoneOutdated) return visit.phoneOutdated;
  const isTooSoon = outdated && (await takeInTransaction(tx, ctx.now(), [[buildChanges, visit.id]])).length > 0;
  return isTooSoon ? visit.phoneOutdated : outdated;
}

/** Whether the page that asks is of another build than this server's; null if it does not say, or this server has no pages. */
function isOutdated({ http, phoneBuild }: VisitScope): boolean | null {
  const build = http.header('x-build');
  return build === undefined || phoneBuild === null ? null : build !== phoneBuild;
}

/** Makes a patient's move, or marks the visit for "Still waiting?". Idempotent: a retry with the same key changes nothing more. */
export async function movePatientVisit(ctx: VisitCtx, action: PatientAction): Promise<PatientVisit> {
  const key = ctx.http.header('idempotency-key');
  if (key !== undefined && key.length > 200) throw new Refusal('invalid_input');
  const page = await ctx.transaction(async (tx) => {
    const visit = await lockLinkedVisit(tx, ctx);
    if (accessOf(visit, ctx) === 'status') throw await linkNotProved(tx, ctx, visit);
    const act = async () => {
      await (action === 'stillWaiting' ? sayStillWaiting(tx, ctx, visit) : movePatient(tx, ctx, visit, action));
      return null;
    };
    if (key)
      await onceInTransaction(
        tx,
        { officeId: ctx.officeId, scope: `visit:${visit.id}`, key, body: action, at: ctx.now() },
        act,
      );
    else await act();
    return pageOf(tx, ctx, await linkedVisit(tx, ctx));
  });
  updateVisitCookie(ctx, page);
  return page;
}

async function movePatient(
  tx: Tx,
  ctx: VisitCtx,
  visit: VisitRow,
  action: 'onMyWay' | 'imIn' | 'cancel',
): Promise<void> {
  if (!mayMove({ statusCode: visit.status }, action)) throw await visitMovedOn(tx, ctx, visit);
  if (action !== 'cancel' && visit.day !== (await todayOf(tx, ctx))) throw await visitNotToday(tx, ctx, visit);
  await makeMove(tx, ctx, visit, action);
}

async function sayStillWaiting(tx: Tx, ctx: VisitCtx, visit: VisitRow): Promise<void> {
  if (visit.status !== 'WAITING') throw await visitMovedOn(tx, ctx, visit);
  if (visit.day !== (await todayOf(tx, ctx))) throw await visitNotToday(tx, ctx, visit);
  const raisedMs = ctx.now().getTime() - (visit.stillWaitingAt?.getTime() ?? 0);
  if (raisedMs >= stillWaitingSeconds * 1000) await markStillWaiting(tx, ctx, visit);
}

/** A refusal to a patient carries the patient's page, never the desk's queue entry. */
const visitMovedOn = async (tx: Tx, ctx: VisitScope, visit: VisitRow) =>
  new Refusal('visit_moved_on', await pageOf(tx, ctx, visit));
const linkNotProved = async (tx: Tx, ctx: VisitScope, visit: VisitRow) =>
  new Refusal('link_not_proved', await pageOf(tx, ctx, visit));
const visitNotToday = async (tx: Tx, ctx: VisitScope, visit: VisitRow) =>
  new Refusal('visit_not_today', await pageOf(tx, ctx, visit));

/** Checks in by a texted link. */
export async function arriveByLink(ctx: VisitCtx, arrival: Omit<Arrival, 'phone'>): Promise<PatientVisit> {
  return saveParty(ctx, arrival, async (tx, visit, party) => {
    if (!mayMove({ statusCode: visit.status }, 'arrive')) throw await visitMovedOn(tx, ctx, visit);
    if (visit.day !== (await todayOf(tx, ctx))) throw await visitNotToday(tx, ctx, visit);
    if (!(await officeFrontOf(tx, ctx)).isOpen) throw new Refusal('office_closed');
    await arriveExpected(tx, ctx, visit.id, party);
  });
}

/** Names the people of a visit that arrived without names, once. */
export async function nameVisit(ctx: VisitCtx, arrival: Omit<Arrival, 'phone'>): Promise<PatientVisit> {
  return saveParty(ctx, arrival, async (tx, visit, party) => {
    const hasArrived = visit.status !== 'EXPECTED' && !isHistory(visit.status);
    if (!hasArrived || (await membersOf(tx, ctx.officeId, visit.id)).length > 0)
      throw await visitMovedOn(tx, ctx, visit);
    if (visit.day !== (await todayOf(tx, ctx))) throw await visitNotToday(tx, ctx, visit);
    await nameArrived(tx, ctx, visit, party);
  });
}

async function saveParty(
  ctx: VisitCtx,
  arrival: Omit<Arrival, 'phone'>,
  save: (tx: Tx, visit: VisitRow, party: Omit<Arrival, 'phone'>) => Promise<void>,
): Promise<PatientVisit> {
  const saved = await ctx.transaction(async (tx) => {
    const visit = await lockLinkedVisit(tx, ctx);
    if (!ctx.proved) throw await linkNotProved(tx, ctx, visit);
    const { timeZone } = await officeFrontOf(tx, ctx);
    await save(tx, visit, partyOf(arrival, ctx.now(), timeZone));
    return pageOf(tx, ctx, await linkedVisit(tx, ctx));
  });
  setVisitCookie(ctx, ctx.officeId, ctx.token);
  return saved;
}

/** Sets the language of the patient's pages and texts; an unproved link sets this visit's only. */
export async function setLanguage(ctx: VisitCtx, language: 'en' | 'es'): Promise<PatientVisit> {
  return ctx.transaction(async (tx) => {
    const visit = await lockLinkedVisit(tx, ctx);
    if (accessOf(visit, ctx) === 'status') throw await linkNotProved(tx, ctx, visit);
    await setVisitLanguage(tx, ctx.officeId, visit.id, language);
    if (ctx.proved) await setPatientLanguage(tx, ctx.officeId, visit.patientId, language);
    await bumpQueue(tx, ctx.officeId, visit.day, [visit.id]);
    await writeAuditEntry(tx, ctx, { action: 'visit.language', subject: visit.id, details: { language } });
    await sendHint(tx, { office: ctx.officeId, visit: visit.id, type: 'checkin' });
    return pageOf(tx, ctx, await linkedVisit(tx, ctx));
  });
}

async function lockLinkedVisit(tx: Tx, ctx: VisitScope): Promise<VisitRow> {
  const visit = await lockVisit(tx, ctx.officeId, ctx.visitId);
  if (!visit) throw new Refusal('visit_link_ended');
  return visit;
}

async function linkedVisit(tx: Tx, { officeId, visitId }: VisitScope): Promise<VisitRow> {
  const visit = await findVisit(tx, officeId, visitId);
  if (!visit) throw new Refusal('visit_link_ended');
  return visit;
}

const noMessages: Awaited<ReturnType<typeof newestMessagesOf>> = { messages: [], hasOlder: false };

/**
 * Whether this link may say that the number gets no texts. Only a link that was texted to the number may reveal that its owner wrote STOP,
 * because anybody can type a number.
 */
async function isShownBlocked(tx: Tx, { officeId, proved }: VisitScope, phone: string): Promise<boolean> {
  const block = await textBlockOf(tx, officeId, phone);
  return block === 'landline' || (block === 'opted-out' && proved);
}

async function pageOf(tx: Tx, scope: VisitScope, visit: VisitRow): Promise<PatientVisit> {
  const { officeName, npi, address, officePhone, timeZone, isOpen, now } = await officeFrontOf(tx, scope);
  const { textNumber } = await officeRow(tx, scope.officeId);
  const members = await membersOf(tx, scope.officeId, visit.id);
  const access = accessOf(visit, scope);
  const isShown = access === 'all';
  const { messages, hasOlder } = isShown ? await newestMessagesOf(tx, scope.officeId, visit.id) : noMessages;
  const waits = visit.status === 'WAITING';
  return {
    access,
    officeName,
    npi,
    address,
    officePhone,
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
    endReason: isHistory(visit.status) ? visit.endReason : null,
    wasCalled: visit.invitedAt !== null,
    language: visit.language,
    messages: messages
      .filter((m) => m.kind === 'message')
      .map((m) => ({
        id: m.id,
        at: m.at.toISOString(),
        from: m.sender === 'patient' ? ('patient' as const) : ('office' as const),
        body: m.body,
        picture:
          m.fileId !== null && m.width !== null && m.height !== null
            ? { id: m.fileId, width: m.width, height: m.height }
            : null,
        missingPicture: missingPictureOf(m),
      })),
    hasOlderMessages: hasOlder,
    getsTexts: textNumber !== null && !(await isShownBlocked(tx, scope, visit.phone)),
    hasHiddenTexts: !isShown && (await hasTextOfDesk(tx, scope.officeId, visit.id)),
    ...(await patientPayments(tx, { officeId: scope.officeId, visitId: visit.id, proved: scope.proved })),
    isToday: visit.day === (await todayOf(tx, scope)),
    mayCheckInAgain: isOpen,
    outdated: isOutdated(scope) ?? false,
    now,
  };
}
