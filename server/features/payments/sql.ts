import type { Tx } from '#server/kit/db/db.ts';

/** Marks the payments question answered, with when card payments were wished for; false when nothing is new. */
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
