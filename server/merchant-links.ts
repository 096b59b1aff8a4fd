import type { Tx } from './kit/db/db.ts';

/**
 * Marks the links to an office's hosted merchant form for ending, because a member is being removed. Call it first: it locks the application
 * before the office, as a submission does, and whoever is making a link meanwhile then finds their membership gone.
 */
export async function markMerchantLinks(tx: Tx, officeId: string, at: Date): Promise<void> {
  await tx
    .updateTable('merchantApplication')
    .set((row) => ({
      linksEndAt: at,
      checkAt: row.case().when('formId', 'is', null).then(row.ref('checkAt')).else(at).end(),
    }))
    .where('officeId', '=', officeId)
    .where('state', 'in', ['draft', 'open'])
    .execute();
}
