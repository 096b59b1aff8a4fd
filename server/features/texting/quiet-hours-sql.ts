import type { Tx } from '#server/kit/db/db.ts';

/** Whether somebody with this number checked in on that day. */
export async function hasCheckedIn(
  tx: Tx,
  officeId: string,
  { phone, day }: { phone: string; day: string },
): Promise<boolean> {
  const visit = await tx
    .selectFrom('visit')
    .select('id')
    .where('officeId', '=', officeId)
    .where('phone', '=', phone)
    .where('day', '=', day)
    .where('arrivedAt', 'is not', null)
    .limit(1)
    .executeTakeFirst();
  return visit !== undefined;
}
