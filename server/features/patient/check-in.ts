import type { Arrival, OfficeFront } from '#contract/patient.ts';
import type { AnyoneCtx, OfficeScope } from '#server/ctx.ts';
import {
  arrive,
  arriveExpected,
  messagesOf,
  newLink,
  runningVisit,
  sendLinkAgain,
  todayOf,
  type VisitRow,
} from '#server/features/queue/index.ts';
import type { Tx } from '#server/kit/db.ts';
import { onceIn } from '#server/kit/idempotency.ts';
import { networkOf } from '#server/kit/network.ts';
import { usPhone } from '#server/kit/phone.ts';
import { Refusal } from '#server/kit/refusal.ts';
import { frontOf, officeOfNpi } from './office-front.ts';
import { heldVisit, holdVisit, isRunning, type HeldVisit } from './own-visit.ts';
import { partyOf } from './party.ts';

/** Wide enough for a waiting room, or a carrier, that shares one address. */
const perNetwork = { name: 'checkin-network', points: 240, seconds: 3600 };
const perPhone = { name: 'checkin-phone', points: 30, seconds: 3600 };
/** Whoever types a number can have its phone texted; so the link is texted this often at most. */
const linkTexts = { most: 3, minutes: 15 };

/** The check-in page of an NPI: the office, and the visit this same browser has running there. */
export async function readOfficeFront(
  ctx: AnyoneCtx,
  npi: string,
): Promise<{ office: OfficeFront; running: { token: string } | null }> {
  const scope = await officeOfNpi(ctx, npi);
  const held = await heldVisit(ctx, scope.officeId);
  return scope.transaction(async (tx) => {
    const office = await frontOf(tx, scope);
    return { office, running: held && (await isRunning(tx, scope, held.visitId)) ? { token: held.token } : null };
  });
}

interface CheckedIn {
  outcome: 'visit' | 'link-sent';
  visitId: string;
}

/** The link made with the visit; kept out of what an Idempotency-Key keeps. */
interface Fresh {
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
): Promise<{ outcome: 'visit' | 'link-sent'; token: string | null }> {
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
      const act = () => arriveOrFind(tx, scope, { ...given, phone }, held, fresh);
      if (!key) return act();
      const { officeId } = scope;
      return onceIn(tx, { officeId, scope: 'check-in', key, body: JSON.stringify(given), at: ctx.now() }, act);
    });
  const { outcome, visitId } = await attempt().catch((error: unknown) => {
    // Two phones pressed at once: the other one made the visit, so now there is one to lead to.
    if ((error as { constraint?: string }).constraint === 'visit_running') return attempt();
    throw error;
  });
  if (outcome === 'link-sent') return { outcome, token: null };
  const token = held?.visitId === visitId ? held.token : (fresh.token ?? (await linkTo(scope, visitId)));
  holdVisit(ctx, scope.officeId, token);
  return { outcome, token };
}

async function arriveOrFind(
  tx: Tx,
  scope: OfficeScope,
  given: Arrival,
  held: HeldVisit | null,
  fresh: Fresh,
): Promise<CheckedIn> {
  const front = await frontOf(tx, scope);
  const party = { ...partyOf(given, scope.now(), front.timeZone), phone: given.phone };
  const running = await runningVisit(tx, scope.officeId, await todayOf(tx, scope), given.phone);
  if (running && running.status !== 'EXPECTED') {
    if (held?.visitId === running.id) return { outcome: 'visit', visitId: running.id };
    await textLinkAgain(tx, scope, running);
    return { outcome: 'link-sent', visitId: running.id };
  }

  if (!front.isOpen) throw new Refusal('office_closed');
  if (!running) {
    const { visitId, token } = await arrive(tx, scope, party);
    fresh.token = token;
    return { outcome: 'visit', visitId };
  }
  await arriveExpected(tx, scope, running.id, party);
  // What the office wrote to this number before belongs to the phone, not to whoever knows its number.
  const written = (await messagesOf(tx, scope.officeId, running.id)).some(({ kind }) => kind === 'message');
  if (!written || held?.visitId === running.id) return { outcome: 'visit', visitId: running.id };
  await textLinkAgain(tx, scope, running);
  return { outcome: 'link-sent', visitId: running.id };
}

async function textLinkAgain(tx: Tx, scope: OfficeScope, visit: VisitRow): Promise<void> {
  const since = new Date(scope.now().getTime() - linkTexts.minutes * 60_000);
  const links = (await messagesOf(tx, scope.officeId, visit.id)).filter(
    ({ kind, at }) => kind === 'link' && at > since,
  );
  if (links.length < linkTexts.most) await sendLinkAgain(tx, scope, visit);
}

async function linkTo(scope: OfficeScope, visitId: string): Promise<string> {
  return scope.transaction(async (tx) => {
    const visit = await tx
      .selectFrom('visit')
      .select(['id', 'day'])
      .where('officeId', '=', scope.officeId)
      .where('id', '=', visitId)
      .executeTakeFirstOrThrow();
    return newLink(tx, scope, visit);
  });
}
