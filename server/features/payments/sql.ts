import type { Tx } from '#server/kit/db/db.ts';

/** Saves the answer to the payments question, with the time of a yes; false if nothing changed. */
export async function savePaymentsAnswer(tx: Tx, officeId: string, wantedAt: Date | null): Promise<boolean> {
  const changed = await tx
    .updateTable('office')
    .set({ paymentsQuestionCompleted: true, ...(wantedAt && { paymentsWantedAt: wantedAt }) })
    .where('id', '=', officeId)
    .where((office) =>
      wantedAt === null ? office('paymentsQuestionCompleted', '=', false) : office('paymentsWantedAt', 'is', null),
    )
    .returning('id')
    .executeTakeFirst();
  return changed !== undefined;
}
