import type { Tx } from '#server/kit/db/db.ts';

/** The open visits of this number: their cards show what happens to its texts. */
export async function openVisitsOf(tx: Tx, officeId: string, phone: string): Promise<string[]> {
  const rows = await tx
    .selectFrom('visit')
    .select('id')
    .where('officeId', '=', officeId)
    .where('phone', '=', phone)
    .where('endedAt', 'is', null)
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
