import type { OfficeScope } from '#server/context.ts';
import type { Tx } from '#server/kit/db/db.ts';

/** True if this number texted STOP to this office. */
export async function hasOptedOut(tx: Tx, officeId: string, phone: string): Promise<boolean> {
  const found = await tx
    .selectFrom('optOut')
    .select('id')
    .where('officeId', '=', officeId)
    .where('phone', '=', phone)
    .executeTakeFirst();
  return found !== undefined;
}

/** False if the number had opted out before. */
export async function addOptOut(tx: Tx, scope: OfficeScope, phone: string): Promise<boolean> {
  const added = await tx
    .insertInto('optOut')
    .values({ officeId: scope.officeId, id: scope.id(), phone, at: scope.now() })
    .onConflict((conflict) => conflict.columns(['officeId', 'phone']).doNothing())
    .returning('id')
    .executeTakeFirst();
  return added !== undefined;
}

export async function removeOptOut(tx: Tx, officeId: string, phone: string): Promise<void> {
  await tx.deleteFrom('optOut').where('officeId', '=', officeId).where('phone', '=', phone).execute();
}
