import type { AnyoneCtx, OfficeScope } from '#server/ctx.ts';
import { todayOf } from '#server/features/queue/index.ts';
import { visitOf } from '#server/kit/context.ts';
import type { Tx } from '#server/kit/db.ts';

const cookieSeconds = 3 * 86_400;

/** A visit's link as this browser holds it. */
export interface HeldVisit {
  token: string;
  visitId: string;
}

/** The visit this browser holds the link of, at this office. Found before a transaction is open: it asks the pool itself. */
export async function heldVisit(ctx: AnyoneCtx, officeId: string): Promise<HeldVisit | null> {
  const token = ctx.http.cookie(cookieName(officeId));
  const found = token === undefined ? null : await visitOf(ctx, token);
  return token !== undefined && found?.officeId === officeId ? { token, visitId: found.visitId } : null;
}

/** Lets this browser find back to its visit from the office's check-in page. */
export function holdVisit(ctx: AnyoneCtx, officeId: string, token: string): void {
  const name = cookieName(officeId);
  if (ctx.http.cookie(name) !== token) ctx.http.setCookie(name, token, cookieSeconds);
}

/** Is this visit going on today? */
export async function isRunning(tx: Tx, scope: OfficeScope, visitId: string): Promise<boolean> {
  const visit = await tx
    .selectFrom('visit')
    .select(['day', 'endedAt'])
    .where('officeId', '=', scope.officeId)
    .where('id', '=', visitId)
    .executeTakeFirst();
  return visit !== undefined && visit.endedAt === null && visit.day === (await todayOf(tx, scope));
}

const cookieName = (officeId: string) => `visit-${officeId.slice(0, 8)}${officeId.slice(-4)}`;
