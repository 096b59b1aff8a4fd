import type { Insertable } from 'kysely';
import type { DB } from '#db/tables.ts';
import type { OfficeScope } from '#server/context.ts';
import type { Tx } from '#server/kit/db/db.ts';

export const linkStatement = (tx: Tx, link: Insertable<DB['visitToken']>) => tx.insertInto('visitToken').values(link);

/** Ends all links of a visit. */
export async function endLinks(tx: Tx, scope: OfficeScope, visitId: string): Promise<void> {
  await tx
    .updateTable('visitToken')
    .set({ expiresAt: scope.now() })
    .where('officeId', '=', scope.officeId)
    .where('visitId', '=', visitId)
    .where('expiresAt', '>', scope.now())
    .execute();
}

/** When a texted link of the visit was first opened, and its status. The shared lock lasts until the transaction ends. */
export function visitWithProof(tx: Tx, officeId: string, visitId: string) {
  return tx
    .selectFrom('visit')
    .select(['provedAt', 'status'])
    .where('officeId', '=', officeId)
    .where('id', '=', visitId)
    .forShare()
    .executeTakeFirst();
}
