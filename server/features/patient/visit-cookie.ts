import type { PatientVisit } from '#contract/patient/visit.ts';
import { isHistory } from '#contract/queue.ts';
import type { AnyoneCtx, OfficeScope } from '#server/context.ts';
import { accessOf, todayOf } from '#server/features/queue/index.ts';
import type { VisitLink } from '#server/context.ts';
import { visitOf } from '#server/visit-link.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { findVisit } from './sql.ts';

const cookieSeconds = 86_400;

/** A visit's link in this browser's cookie. */
export interface CookieVisit extends VisitLink {
  token: string;
}

/** This browser's visit at this office. Call it before opening a transaction: it uses the pool itself. */
export async function readVisitCookie(ctx: AnyoneCtx, officeId: string): Promise<CookieVisit | null> {
  const token = ctx.http.cookie(cookieName(officeId));
  const found = token === undefined ? null : await visitOf(ctx, token);
  return token !== undefined && found?.officeId === officeId ? { token, ...found } : null;
}

/** Lets this browser find its visit again from the office's check-in page. */
export function setVisitCookie(ctx: AnyoneCtx, officeId: string, token: string): void {
  const name = cookieName(officeId);
  if (ctx.http.cookie(name) !== token) ctx.http.setCookie(name, token, cookieSeconds);
}

/** Makes this browser forget its visit at this office. */
export function clearVisitCookie(ctx: AnyoneCtx, officeId: string): void {
  const name = cookieName(officeId);
  if (ctx.http.cookie(name) !== undefined) ctx.http.clearCookie(name);
}

/** Deletes the cookie when the visit ends, because somebody else may use the device next. */
export function updateVisitCookie(ctx: AnyoneCtx & { officeId: string; token: string }, page: PatientVisit): void {
  const isRunning = page.isToday && !isHistory(page.statusCode);
  if (isRunning) setVisitCookie(ctx, ctx.officeId, ctx.token);
  else if (ctx.http.cookie(cookieName(ctx.officeId)) === ctx.token) clearVisitCookie(ctx, ctx.officeId);
}

/** The cookie's visit if it is open today; without a name if its link shows the status only. */
export async function runningVisitOfCookie(
  tx: Tx,
  scope: OfficeScope,
  { visitId, proved }: CookieVisit,
): Promise<{ firstName: string | null } | null> {
  const visit = await findVisit(tx, scope.officeId, visitId);
  if (!visit || visit.endedAt !== null || visit.day !== (await todayOf(tx, scope))) return null;
  const owner = visit.contactFirstName ?? visit.firstName;
  return { firstName: accessOf(visit, { proved }) === 'status' ? null : owner };
}

const cookieName = (officeId: string) => `visit-${officeId.slice(0, 8)}${officeId.slice(-4)}`;
