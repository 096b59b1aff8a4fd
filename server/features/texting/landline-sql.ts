import type { Tx } from '#server/kit/db/db.ts';

/** The visits of this number that are open or of today: their cards show what happens to its texts. */
export async function shownVisitsOf(tx: Tx, officeId: string, phone: string, today: string): Promise<string[]> {
  const rows = await tx
    .selectFrom('visit')
    .select('id')
    .where('officeId', '=', officeId)
    .where('phone', '=', phone)
    .where((q) => q.or([q('endedAt', 'is', null), q('day', '=', today)]))
    .execute();
  return rows.map(({ id }) => id);
}

/** Remembers that the carrier reported this number as a landline. */
export async function addLandline(
  tx: Tx,
  landline: { officeId: string; id: string; phone: string; reportedAt: Date },
): Promise<void> {
  await tx
    .insertInto('landline')
    .values(landline)
    .onConflict((conflict) => conflict.columns(['officeId', 'phone']).doNothing())
    .execute();
}

/** A number that texts is no landline, whatever the carrier reported; true if it had. */
export async function forgetLandline(tx: Tx, officeId: string, phone: string): Promise<boolean> {
  const gone = await tx
    .deleteFrom('landline')
    .where('officeId', '=', officeId)
    .where('phone', '=', phone)
    .returning('id')
    .executeTakeFirst();
  return gone !== undefined;
}
