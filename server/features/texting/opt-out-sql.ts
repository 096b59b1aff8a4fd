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

export async function addOptOut(tx: Tx, scope: OfficeScope, phone: string): Promise<void> {
  await tx
    .insertInto('optOut')
    .values({ officeId: scope.officeId, id: scope.id(), phone, at: scope.now() })
    .onConflict((conflict) => conflict.columns(['officeId', 'phone']).doNothing())
    .execute();
}

export async function removeOptOut(tx: Tx, officeId: string, phone: string): Promise<void> {
  await tx.deleteFrom('optOut').where('officeId', '=', officeId).where('phone', '=', phone).execute();
}
