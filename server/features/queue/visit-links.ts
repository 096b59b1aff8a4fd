import { visitLinkDays } from '#contract/patient/visit.ts';
import type { VisitStatus } from '#contract/queue.ts';
import type { OfficeScope } from '#server/context.ts';
import { instantOf } from '#server/kit/day.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { directoryStatement } from '#server/kit/db/office-directory.ts';
import { runTogether } from '#server/kit/db/statements.ts';
import { hashToken, newToken } from '#server/kit/crypto/secret.ts';
import { officeRow } from '#server/office-row.ts';
import { linkStatement } from './visit-link-sql.ts';

type LinkedVisit = { id: string; day: string; status?: VisitStatus };

/** Makes another, unproved link for a browser that typed the visit's number; returns its token. */
export async function createUnprovedLink(tx: Tx, scope: OfficeScope, visit: LinkedVisit): Promise<string> {
  const { token, statements } = await newLinkStatements(tx, scope, visit, { proved: false });
  await runTogether(tx, { statements, hints: [] });
  return token;
}

/**
 * The statements of another link to a visit. Only the token's hash is stored. The link expires two days after the visit's day. It is `proved`
 * if it is texted to the visit's number. It may request one form.
 */
export async function newLinkStatements(
  tx: Tx,
  scope: OfficeScope,
  visit: LinkedVisit,
  { proved, askedForm = null }: { proved: boolean; askedForm?: string | null },
) {
  const { timeZone } = await officeRow(tx, scope.officeId);
  const token = newToken();
  const tokenHash = hashToken(token);
  const endOfDay = instantOf(visit.day, '24:00', timeZone);
  const expiresAt = new Date(endOfDay.getTime() + visitLinkDays * 86_400_000);
  const link = linkStatement(tx, {
    officeId: scope.officeId,
    id: scope.id(),
    visitId: visit.id,
    tokenHash,
    proved,
    askedForm,
    createdAt: scope.now(),
    expiresAt,
  });
  const entry = directoryStatement(tx, { officeId: scope.officeId, kind: 'visit_link', key: tokenHash, expiresAt });
  // An expected patient must check in first.
  const page = visit.status === 'EXPECTED' ? 'c/t' : 'visit';
  return { token, url: `${scope.env.publicUrl}/${page}/${token}`, statements: [link, entry] };
}
