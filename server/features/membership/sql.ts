import type { Tx } from '#server/kit/db/db.ts';

/** The office's id at the card provider; null before it is a customer. */
export async function customerOf(tx: Tx, officeId: string): Promise<string | null> {
  const row = await tx
    .selectFrom('office')
    .select('stripeCustomerId')
    .where('id', '=', officeId)
    .executeTakeFirstOrThrow();
  return row.stripeCustomerId;
}

export async function setCustomer(tx: Tx, officeId: string, customerId: string): Promise<void> {
  await tx.updateTable('office').set({ stripeCustomerId: customerId }).where('id', '=', officeId).execute();
}
