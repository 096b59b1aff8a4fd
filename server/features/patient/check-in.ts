import type { Arrival, OfficeFront } from '#contract/patient/check-in.ts';
import { isHistory } from '#contract/queue.ts';
import { linkTextLimits } from '#contract/texting.ts';
import type { AnyoneCtx, OfficeScope, VisitCtx } from '#server/context.ts';
import {
  arrive,
  linkTextsSince,
  lockVisit,
  createUnprovedLink,
  runningVisit,
  resendLink,
  todayOf,
} from '#server/features/queue/index.ts';
import { isViolationOf, type Tx } from '#server/kit/db/db.ts';
import { onceInTransaction } from '#server/kit/http/idempotency.ts';
import { networkBudgets, takeInTransaction } from '#server/kit/http/rate-limits.ts';
import { networkOfAddress } from '#server/kit/http/client-network.ts';
import { usPhone } from '#server/kit/phone.ts';
import { officeRow } from '#server/office-row.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { officeFrontOf, officeOfNpi } from './office-front.ts';
import { findVisit } from './sql.ts';
import {
  readVisitCookie,
  setVisitCookie,
  clearVisitCookie,
  runningVisitOfCookie,
  type CookieVisit,
} from './visit-cookie.ts';
import { partyOf } from './party.ts';

/** Enough for a waiting room, or a carrier, behind one address. */
const perNetwork = { name: 'checkin-network', points: 240, seconds: 3600 };
const perPhone = { name: 'checkin-phone', points: 30, seconds: 3600 };
/** Anybody who types a number can have its phone texted, so one visit's link is texted at most this often. */
const linkTexts = { most: 3, minutes: 15 };

/** The check-in page of an NPI: the office, and this browser's running visit there. */
export async function readOfficeFront(
  ctx: AnyoneCtx,
  npi: string,
): Promise<{ office: OfficeFront; running: { token: string; initial: string | null } | null }> {
  const scope = await officeOfNpi(ctx, npi);
  const held = await readVisitCookie(ctx, scope.officeId);
  const { office, visit } = await scope.transaction(async (tx) => ({
    office: await officeFrontOf(tx, scope),
    visit: held && (await runningVisitOfCookie(tx, scope, held)),
  }));
  if (!held || !visit) clearVisitCookie(ctx, scope.officeId);
  if (!held || !visit) return { office, running: null };
  return {
    office,
    running: { token: held.token, initial: visit.firstName === null ? null : initialOf(visit.firstName) },
  };
}

/** The first character as a person counts it, even if it is an emoji or an accented letter. */
const initialOf = (name: string) => new Intl.Segmenter().segment(name)[Symbol.iterator]().next().value?.segment ?? '';

/** "Somebody else": this browser forgets the visit it has running here. */
export async function forgetVisit(ctx: AnyoneCtx, npi: string): Promise<{ forgotten: boolean }> {
  clearVisitCookie(ctx, (await officeOfNpi(ctx, npi)).officeId);
  return { forgotten: true };
}

interface CheckInResult {
  outcome: 'visit' | 'link-sent' | 'link-not-sent';
  visitId: string;
}

/** The link that this attempt made. It is not part of the reply stored for an Idempotency-Key. */
interface NewLink {
  /** The link made with the visit. */
  token?: string;
}

/**
 * "I'm here": adds the visit, or leads back to the running one. A retry with the same Idempotency-Key finds the same visit. The stored reply
 * holds no token, so the retry gets a new link.
 */
export async function checkIn(
  ctx: AnyoneCtx,
  npi: string,
  arrival: Arrival,
): Promise<{ outcome: CheckInResult['outcome']; token: string | null; reason?: 'failed' }> {
  const scope = await officeOfNpi(ctx, npi);
  const phone = usPhone(arrival.phone);
  if (!phone) throw new Refusal('invalid_phone');
  await ctx.limits.takeForNetwork(perNetwork, networkOfAddress(ctx.http.address), {
    officeId: scope.officeId,
    others: [[perPhone, `${scope.officeId} ${phone}`]],
  });
  const held = await readVisitCookie(ctx, scope.officeId);

  const key = ctx.http.header('idempotency-key');
  if (key !== undefined && key.length > 200) throw new Refusal('invalid_input');
  let fresh: NewLink = {};
  const attempt = () =>
    scope.transaction((tx) => {
      fresh = {};
      const act = () =>
        arriveOrFind(tx, scope, { ...arrival, phone }, { held, fresh, network: networkOfAddress(ctx.http.address) });
      if (!key) return act();
      const { officeId } = scope;
      return onceInTransaction(
        tx,
        { officeId, scope: 'check-in', key, body: JSON.stringify(arrival), at: ctx.now() },
        act,
      );
    });
  const { outcome, visitId } = await attempt().catch((error: unknown) => {
    // Two phones checked in at the same moment: the other one made the visit, so the retry finds it.
    if (isViolationOf(error, 'visit_running')) return attempt();
    throw error;
  });
  if (outcome !== 'visit') return { outcome, token: null, ...(outcome === 'link-not-sent' && { reason: 'failed' }) };
  const token = held?.visitId === visitId ? held.token : (fresh.token ?? (await newLinkTo(scope, visitId)));
  setVisitCookie(ctx, scope.officeId, token);
  return { outcome, token };
}

async function arriveOrFind(
  tx: Tx,
  scope: OfficeScope,
  arrival: Arrival,
  { held, fresh, network }: { held: CookieVisit | null; fresh: NewLink; network: string },
): Promise<CheckInResult> {
  const front = await officeFrontOf(tx, scope);
  const party = { ...partyOf(arrival, scope.now(), front.timeZone), phone: arrival.phone };
  const running = await runningVisit(tx, scope.officeId, await todayOf(tx, scope), arrival.phone);
  if ((!running || running.status === 'EXPECTED') && !front.isOpen) throw new Refusal('office_closed');
  if (!running) {
    const { visitId, token } = await arrive(tx, scope, party);
    fresh.token = token;
    return { outcome: 'visit', visitId };
  }
  const own = held?.visitId === running.id ? await runningVisitOfCookie(tx, scope, held) : null;
  if (own !== null && own.firstName !== null) return { outcome: 'visit', visitId: running.id };
  // The visit belongs to the phone, not to whoever knows its number. An expected visit stays expected until its own link checks in.
  // A refused text is not stored for the Idempotency-Key: a retry tries again.
  const problem = await textLinkAgain(tx, scope, running.id, network);
  return { outcome: isShown(problem, false) ? 'link-not-sent' : 'link-sent', visitId: running.id };
}

/** Texts the visit's link again, for a phone whose own link shows the status only. */
export async function textVisitLink(ctx: VisitCtx): Promise<{ sent: boolean }> {
  const network = networkOfAddress(ctx.http.address);
  const problem = await ctx.transaction((tx) => textLinkAgain(tx, ctx, ctx.visitId, network));
  return { sent: !isShown(problem, ctx.proved) };
}

type LinkTextProblem = 'opted-out' | 'failed';

/**
 * Whether the caller may learn that the link was not texted. That its number sent STOP only a texted link may reveal, because anybody can
 * type a number.
 */
const isShown = (problem: LinkTextProblem | null, proved: boolean): boolean =>
  problem === 'failed' || (problem === 'opted-out' && proved);

/**
 * Texts a running visit's link to its number; returns the reason if that is impossible. If the link was texted often enough just now, the
 * earlier text counts. The budgets are taken in the same transaction, so a text that is refused afterwards costs nothing.
 */
async function textLinkAgain(
  tx: Tx,
  scope: OfficeScope,
  visitId: string,
  network: string,
): Promise<LinkTextProblem | null> {
  const { visit, recent } = await linkTextsOf(tx, scope, visitId);
  const office = await officeRow(tx, scope.officeId);
  if (recent.length >= linkTexts.most) return problemOf(recent, office);
  const perNumber = office.confirmedAt === null ? linkTextLimits.perNumberOfUnconfirmed : linkTextLimits.perNumber;
  const [usedUp] = await takeInTransaction(tx, scope.now(), [
    ...networkBudgets(linkTextLimits.perNetwork, network),
    [perNumber, visit.phone],
  ]);
  if (usedUp) throw new Refusal('too_many_link_texts', undefined, usedUp.seconds);
  const { state, problem } = await resendLink(tx, scope, visit);
  return problemOf([{ state, errorClass: problem }], office);
}

/** Null if one of these texts arrived or may still arrive. A practice without a number texts nobody, whether they sent STOP or not. */
function problemOf(
  texts: { state: string | null; errorClass: string | null }[],
  { textNumber }: { textNumber: string | null },
): LinkTextProblem | null {
  if (texts.some(({ state }) => state !== 'failed')) return null;
  return textNumber !== null && texts.at(-1)?.errorClass === 'opted-out' ? 'opted-out' : 'failed';
}

async function linkTextsOf(tx: Tx, scope: OfficeScope, visitId: string) {
  const visit = await lockVisit(tx, scope.officeId, visitId);
  if (!visit) throw new Refusal('visit_link_ended');
  if (isHistory(visit.status) || visit.day !== (await todayOf(tx, scope))) throw new Refusal('visit_moved_on');
  const since = new Date(scope.now().getTime() - linkTexts.minutes * 60_000);
  return { visit, recent: await linkTextsSince(tx, scope.officeId, visitId, since) };
}

async function newLinkTo(scope: OfficeScope, visitId: string): Promise<string> {
  return scope.transaction(async (tx) => {
    const visit = await findVisit(tx, scope.officeId, visitId);
    if (!visit) throw new Error('the visit of a check-in is missing');
    return createUnprovedLink(tx, scope, visit);
  });
}
