import type { OfficeScope } from '#server/context.ts';
import type { VisitLink } from '#server/context.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { visitWithProof } from './visit-link-sql.ts';

export type LinkScope = Pick<OfficeScope, 'officeId'> & VisitLink;

/** The token whose entries a link may see; null for a proved link, which sees all entries of the visit. */
export type EntryOwner = string | null;

/**
 * Says which of the visit's entries this link may read and change. Refuses an unproved link of an expected visit, and of a visit whose proved
 * link was used. The shared row lock delays the first use of a proved link until this transaction ends, so an unproved link never reads what
 * was entered after it.
 */
export async function entryOwnerFor(tx: Tx, { officeId, visitId, tokenId, proved }: LinkScope): Promise<EntryOwner> {
  if (proved) return null;
  const visit = await visitWithProof(tx, officeId, visitId);
  if (!visit) throw new Refusal('visit_link_ended');
  if (accessOf(visit, { proved }) === 'status') throw new Refusal('link_not_proved');
  return tokenId;
}

/** How much of a visit a link shows; `contract/patient/visit.ts` defines the values. */
export function accessOf(
  visit: { provedAt: Date | null; status: string },
  { proved }: Pick<VisitLink, 'proved'>,
): 'all' | 'own' | 'status' {
  if (proved) return 'all';
  return visit.provedAt !== null || visit.status === 'EXPECTED' ? 'status' : 'own';
}
