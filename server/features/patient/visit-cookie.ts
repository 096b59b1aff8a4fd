import type { PatientVisit } from '#contract/patient.ts';
import { isHistory } from '#contract/queue.ts';
import type { AnyoneCtx, OfficeScope } from '#server/context.ts';
import { accessOf, todayOf } from '#server/features/queue/index.ts';
import type { VisitLink } from '#server/context.ts';
import { visitOf } from '#server/kit/http/request-context.ts';
import type { Tx } from '#server/kit/db/db.ts';

const cookieSeconds = 86_400;

/** A visit's link as this browser holds it. */
export interface HeldVisit extends VisitLink {
  token: string;
}

/** The visit this browser holds the link of, at this office. Found before a transaction is open: it asks the pool itself. */
export async function heldVisit(ctx: AnyoneCtx, officeId: string): Promise<HeldVisit | null> {
  const token = ctx.http.cookie(cookieName(officeId));
  const found = token === undefined ? null : await visitOf(ctx, token);
  return token !== undefined && found?.officeId === officeId ? { token, ...found } : null;
}

/** Lets this browser find back to its visit from the office's check-in page. */
export function holdVisit(ctx: AnyoneCtx, officeId: string, token: string): void {
  const name = cookieName(officeId);
  if (ctx.http.cookie(name) !== token) ctx.http.setCookie(name, token, cookieSeconds);
}

/** This browser is to find no visit at this office any more. */
export function releaseVisit(ctx: AnyoneCtx, officeId: string): void {
  const name = cookieName(officeId);
  if (ctx.http.cookie(name) !== undefined) ctx.http.clearCookie(name);
}

/** The cookie lives as long as the visit: somebody else may use the device next. */
export function holdWhileRunning(ctx: AnyoneCtx & { officeId: string; token: string }, page: PatientVisit): void {
  const isRunning = page.isToday && !isHistory(page.statusCode);
  if (isRunning) holdVisit(ctx, ctx.officeId, ctx.token);
  else if (ctx.http.cookie(cookieName(ctx.officeId)) === ctx.token) releaseVisit(ctx, ctx.officeId);
}

/** The visit of this link, if it is going on today; without a name where the link shows the status only. */
export async function runningHere(
  tx: Tx,
  scope: OfficeScope,
  { visitId, proved }: HeldVisit,
): Promise<{ firstName: string | null } | null> {
  const visit = await tx
    .selectFrom('visit')
    .select(['day', 'endedAt', 'firstName', 'provedAt', 'status'])
    .where('officeId', '=', scope.officeId)
    .where('id', '=', visitId)
    .executeTakeFirst();
  if (!visit || visit.endedAt !== null || visit.day !== (await todayOf(tx, scope))) return null;
  return { firstName: accessOf(visit, { proved }) === 'status' ? null : visit.firstName };
}

const cookieName = (officeId: string) => `visit-${officeId.slice(0, 8)}${officeId.slice(-4)}`;
