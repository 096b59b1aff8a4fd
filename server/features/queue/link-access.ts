import type { OfficeScope } from '#server/context.ts';
import type { VisitLink } from '#server/context.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { Refusal } from '#server/kit/http/refusal.ts';

export type LinkScope = Pick<OfficeScope, 'officeId'> & VisitLink;

/** Whose entries a link shows: of everybody (null) when it is proved, else only those made with itself (its token's id). */
export type EnteredWith = string | null;

/**
 * What of the visit's entries this link may read and change. Refuses an unproved link of an expected visit, and from the moment a proved
 * one was used. The row's shared lock holds back that moment until this transaction ends, so an unproved link never reads what was
 * entered after it.
 */
export async function entriesFor(tx: Tx, { officeId, visitId, tokenId, proved }: LinkScope): Promise<EnteredWith> {
  if (proved) return null;
  const visit = await tx
    .selectFrom('visit')
    .select(['provedAt', 'status'])
    .where('officeId', '=', officeId)
    .where('id', '=', visitId)
    .forShare()
    .executeTakeFirst();
  if (!visit) throw new Refusal('visit_link_ended');
  if (accessOf(visit, { proved }) === 'status') throw new Refusal('link_not_proved');
  return tokenId;
}

/** What a link shows of a visit; the contract says what each word means. */
export function accessOf(
  visit: { provedAt: Date | null; status: string },
  { proved }: Pick<VisitLink, 'proved'>,
): 'all' | 'own' | 'status' {
  if (proved) return 'all';
  return visit.provedAt !== null || visit.status === 'EXPECTED' ? 'status' : 'own';
}
