import type { Arrival, OfficeFront } from '#contract/patient.ts';
import { isHistory } from '#contract/queue.ts';
import { linkTextLimits } from '#contract/texting.ts';
import type { AnyoneCtx, OfficeScope, VisitCtx } from '#server/context.ts';
import {
  arrive,
  lockVisit,
  messagesOf,
  createUnprovedLink,
  runningVisit,
  sendLinkAgain,
  todayOf,
} from '#server/features/queue/index.ts';
import { isViolationOf, type Tx } from '#server/kit/db/db.ts';
import { onceIn } from '#server/kit/http/idempotency.ts';
import { takeIn } from '#server/kit/http/rate-limits.ts';
import { networkOf } from '#server/kit/http/client-network.ts';
import { usPhone } from '#server/kit/phone.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { frontOf, officeOfNpi } from './office-front.ts';
import { heldVisit, holdVisit, releaseVisit, runningHere, type HeldVisit } from './visit-cookie.ts';
import { partyOf } from './party.ts';

/** Wide enough for a waiting room, or a carrier, that shares one address. */
const perNetwork = { name: 'checkin-network', points: 240, seconds: 3600 };
const perPhone = { name: 'checkin-phone', points: 30, seconds: 3600 };
/** Whoever types a number can have its phone texted; so one visit's link is texted this often at most. */
const linkTexts = { most: 3, minutes: 15 };

/** The check-in page of an NPI: the office, and the visit this same browser has running there. */
export async function readOfficeFront(
  ctx: AnyoneCtx,
  npi: string,
): Promise<{ office: OfficeFront; running: { token: string; initial: string | null } | null }> {
  const scope = await officeOfNpi(ctx, npi);
  const held = await heldVisit(ctx, scope.officeId);
  const { office, visit } = await scope.transaction(async (tx) => ({
    office: await frontOf(tx, scope),
    visit: held && (await runningHere(tx, scope, held)),
  }));
  if (!held || !visit) releaseVisit(ctx, scope.officeId);
  if (!held || !visit) return { office, running: null };
  return {
    office,
    running: { token: held.token, initial: visit.firstName === null ? null : initialOf(visit.firstName) },
  };
}

/** The first character as a person counts it, also of an emoji or an accented letter. */
const initialOf = (name: string) => new Intl.Segmenter().segment(name)[Symbol.iterator]().next().value?.segment ?? '';

/** "Somebody else": this browser forgets the visit it has running here. */
export async function forgetVisit(ctx: AnyoneCtx, npi: string): Promise<{ forgotten: boolean }> {
  releaseVisit(ctx, (await officeOfNpi(ctx, npi)).officeId);
  return { forgotten: true };
}

type NotSent = 'opted-out' | 'failed';

interface CheckedIn {
  outcome: 'visit' | 'link-sent' | 'link-not-sent';
  visitId: string;
  reason?: NotSent;
}

/** What this very attempt did; kept out of what an Idempotency-Key keeps. */
interface Fresh {
  /** The link made with the visit. */
  token?: string;
}

/**
 * "I'm here": makes the visit, or leads back to the one that runs already. A retry with the same Idempotency-Key finds the same
 * visit; what is kept of the first answer holds no token, the retry gets a link of its own.
 */
export async function checkIn(
  ctx: AnyoneCtx,
  npi: string,
  given: Arrival,
): Promise<{ outcome: CheckedIn['outcome']; token: string | null; reason?: NotSent }> {
  const scope = await officeOfNpi(ctx, npi);
  const phone = usPhone(given.phone);
  if (!phone) throw new Refusal('invalid_phone');
  await ctx.limits.takeEach([
    [perNetwork, `${scope.officeId} ${networkOf(ctx.http.address)}`],
    [perPhone, `${scope.officeId} ${phone}`],
  ]);
  const held = await heldVisit(ctx, scope.officeId);

  const key = ctx.http.header('idempotency-key');
  if (key !== undefined && key.length > 200) throw new Refusal('invalid_input');
  let fresh: Fresh = {};
  const attempt = () =>
    scope.transaction((tx) => {
      fresh = {};
      const act = () =>
        arriveOrFind(tx, scope, { ...given, phone }, { held, fresh, network: networkOf(ctx.http.address) });
      if (!key) return act();
      const { officeId } = scope;
      return onceIn(tx, { officeId, scope: 'check-in', key, body: JSON.stringify(given), at: ctx.now() }, act);
    });
  const { outcome, visitId, reason } = await attempt().catch((error: unknown) => {
    // Two phones pressed at once: the other one made the visit, so now there is one to lead to.
    if (isViolationOf(error, 'visit_running')) return attempt();
    throw error;
  });
  if (outcome !== 'visit') return { outcome, token: null, ...(reason && { reason }) };
  const token = held?.visitId === visitId ? held.token : (fresh.token ?? (await linkTo(scope, visitId)));
  holdVisit(ctx, scope.officeId, token);
  return { outcome, token };
}

async function arriveOrFind(
  tx: Tx,
  scope: OfficeScope,
  given: Arrival,
  { held, fresh, network }: { held: HeldVisit | null; fresh: Fresh; network: string },
): Promise<CheckedIn> {
  const front = await frontOf(tx, scope);
  const party = { ...partyOf(given, scope.now(), front.timeZone), phone: given.phone };
  const running = await runningVisit(tx, scope.officeId, await todayOf(tx, scope), given.phone);
  if ((!running || running.status === 'EXPECTED') && !front.isOpen) throw new Refusal('office_closed');
  if (!running) {
    const { visitId, token } = await arrive(tx, scope, party);
    fresh.token = token;
    return { outcome: 'visit', visitId };
  }
  const own = held?.visitId === running.id ? await runningHere(tx, scope, held) : null;
  if (own !== null && own.firstName !== null) return { outcome: 'visit', visitId: running.id };
  // The visit belongs to the phone, not to whoever knows its number. An expected one stays expected: its link says "I'm here".
  // With the answer that an Idempotency-Key keeps: a retry of a text that was refused tries again.
  const reason = await textLinkAgain(tx, scope, running.id, network);
  return reason
    ? { outcome: 'link-not-sent', visitId: running.id, reason }
    : { outcome: 'link-sent', visitId: running.id };
}

/** Texts the visit's link once more, for a phone whose own link shows the status only. */
export async function textVisitLink(ctx: VisitCtx): Promise<{ sent: boolean }> {
  return {
    sent: (await ctx.transaction((tx) => textLinkAgain(tx, ctx, ctx.visitId, networkOf(ctx.http.address)))) === null,
  };
}

/**
 * Texts a running visit's link to its number, and answers why not where that cannot be. Where the link was texted often enough just now,
 * that text is on the phone. The budgets are taken in the same transaction: a text that is refused after them costs nothing.
 */
async function textLinkAgain(tx: Tx, scope: OfficeScope, visitId: string, network: string): Promise<NotSent | null> {
  const { visit, recent } = await linkTextsOf(tx, scope, visitId);
  if (recent.length >= linkTexts.most) return notSent(recent);
  const usedUp = await takeIn(tx, scope.now(), [
    [linkTextLimits.perNetwork, network],
    [linkTextLimits.perNumber, visit.phone],
  ]);
  if (usedUp) throw new Refusal('too_many_link_texts', undefined, usedUp.seconds);
  const { state, problem } = await sendLinkAgain(tx, scope, visit);
  return notSent([{ state, errorClass: problem }]);
}

/** Null when one of these texts may still arrive, or has. */
function notSent(texts: { state: string | null; errorClass: string | null }[]): NotSent | null {
  if (texts.some(({ state }) => state !== 'failed')) return null;
  return texts.at(-1)?.errorClass === 'opted-out' ? 'opted-out' : 'failed';
}

async function linkTextsOf(tx: Tx, scope: OfficeScope, visitId: string) {
  const visit = await lockVisit(tx, scope.officeId, visitId);
  if (!visit) throw new Refusal('visit_link_ended');
  if (isHistory(visit.status) || visit.day !== (await todayOf(tx, scope))) throw new Refusal('visit_moved_on');
  const since = new Date(scope.now().getTime() - linkTexts.minutes * 60_000);
  const messages = await messagesOf(tx, scope.officeId, visitId);
  return { visit, recent: messages.filter(({ kind, at }) => kind === 'link' && at > since) };
}

async function linkTo(scope: OfficeScope, visitId: string): Promise<string> {
  return scope.transaction(async (tx) => {
    const visit = await tx
      .selectFrom('visit')
      .select(['id', 'day'])
      .where('officeId', '=', scope.officeId)
      .where('id', '=', visitId)
      .executeTakeFirstOrThrow();
    return createUnprovedLink(tx, scope, visit);
  });
}
