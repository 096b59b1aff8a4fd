import type { OpenQuestion } from '#contract/transactions.ts';
import type { Tx } from '#server/kit/db/db.ts';

const most = 100;

/** Payments, refunds and recordings whose outcome is unknown, oldest first. */
export async function openQuestions(tx: Tx, officeId: string): Promise<OpenQuestion[]> {
  const payments = await tx
    .selectFrom('payment')
    .select(['id', 'visitId', 'patientName', 'amountCents', 'createdAt'])
    .where('officeId', '=', officeId)
    .where('state', '=', 'UNKNOWN')
    .orderBy('createdAt')
    .limit(most)
    .execute();
  const refunds = await tx
    .selectFrom('paymentRefund as r')
    .innerJoin('payment as p', (join) => join.onRef('p.officeId', '=', 'r.officeId').onRef('p.id', '=', 'r.paymentId'))
    .select(['r.id', 'p.id as chargeId', 'p.visitId', 'p.patientName', 'r.amountCents', 'r.createdAt'])
    .where('r.officeId', '=', officeId)
    .where('r.state', '=', 'UNKNOWN')
    .orderBy('r.createdAt')
    .limit(most)
    .execute();
  const recordings = await tx
    .selectFrom('paymentRecording as r')
    .innerJoin('payment as p', (join) => join.onRef('p.officeId', '=', 'r.officeId').onRef('p.id', '=', 'r.paymentId'))
    .select(['r.id', 'p.id as chargeId', 'p.visitId', 'p.patientName', 'r.amountCents', 'r.createdAt', 'r.part'])
    .where('r.officeId', '=', officeId)
    .where('r.state', '=', 'unknown')
    .orderBy('r.createdAt')
    .limit(most)
    .execute();
  return [
    ...payments.map((row) => ({ ...row, kind: 'payment' as const, chargeId: row.id, part: null })),
    ...refunds.map((row) => ({ ...row, kind: 'refund' as const, part: null })),
    ...recordings.map((row) => ({ ...row, kind: 'recording' as const })),
  ]
    .sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime())
    .map(({ amountCents, createdAt, ...row }) => ({ ...row, amount: amountCents, since: createdAt.toISOString() }));
}
