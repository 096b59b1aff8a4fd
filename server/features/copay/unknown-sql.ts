import { sql } from 'kysely';
import type { OpenQuestion } from '#contract/transactions.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { referenceOf } from './send-charge.ts';

const most = 100;

/** Payments, refunds and recordings that a person has to look up or correct, oldest first. */
export async function openQuestions(tx: Tx, officeId: string): Promise<OpenQuestion[]> {
  const payments = await tx
    .selectFrom('payment')
    .select(['id', 'visitId', 'patientName', 'amountCents', 'createdAt', 'cardBrand', 'cardLast4'])
    .where('officeId', '=', officeId)
    .where('state', '=', 'UNKNOWN')
    .orderBy('createdAt')
    .limit(most)
    .execute();
  const refunds = await tx
    .selectFrom('paymentRefund as r')
    .innerJoin('payment as p', (join) => join.onRef('p.officeId', '=', 'r.officeId').onRef('p.id', '=', 'r.paymentId'))
    .select(['r.id', 'p.id as chargeId', 'p.visitId', 'p.patientName', 'r.amountCents', 'r.createdAt'])
    .select(['p.cardBrand', 'p.cardLast4'])
    .where('r.officeId', '=', officeId)
    .where('r.state', '=', 'UNKNOWN')
    .orderBy('r.createdAt')
    .limit(most)
    .execute();
  const recordings = await tx
    .selectFrom('paymentRecording as r')
    .innerJoin('payment as p', (join) => join.onRef('p.officeId', '=', 'r.officeId').onRef('p.id', '=', 'r.paymentId'))
    .select([
      'r.id',
      'p.id as chargeId',
      'p.visitId',
      'p.patientName',
      'r.amountCents',
      'r.createdAt',
      'r.part',
      'r.problem',
      'p.cardBrand',
      'p.cardLast4',
    ])
    .where('r.officeId', '=', officeId)
    .where('r.state', 'in', ['unknown', 'refused'])
    .orderBy('r.createdAt')
    .limit(most)
    .execute();
  const corrections = await tx
    .selectFrom('payment as p')
    .innerJoin('paymentRecording as r', (join) =>
      join.onRef('r.officeId', '=', 'p.officeId').onRef('r.paymentId', '=', 'p.id'),
    )
    .select(['p.id', 'p.visitId', 'p.patientName', 'p.createdAt', 'p.cardBrand', 'p.cardLast4'])
    .select(
      sql<number>`(sum(r.amount_cents) - p.corrected_cents - p.amount_cents + p.refunded_cents)::int`.as('amountCents'),
    )
    .where('p.officeId', '=', officeId)
    .where('p.refundedCents', '>', 0)
    .where('r.state', '=', 'recorded')
    .groupBy(['p.officeId', 'p.id'])
    .having(sql<boolean>`sum(r.amount_cents) - p.corrected_cents > p.amount_cents - p.refunded_cents`)
    .orderBy('p.createdAt')
    .limit(most)
    .execute();
  const without = { part: null, problem: null };
  const atProvider = (id: string) => referenceOf({ officeId, id });
  return [
    ...payments.map((row) => ({
      ...row,
      ...without,
      kind: 'payment' as const,
      chargeId: row.id,
      reference: atProvider(row.id),
    })),
    ...refunds.map((row) => ({ ...row, ...without, kind: 'refund' as const, reference: atProvider(row.id) })),
    ...recordings.map((row) => ({ ...row, kind: 'recording' as const, reference: row.chargeId })),
    ...corrections.map((row) => ({
      ...row,
      ...without,
      kind: 'correction' as const,
      chargeId: row.id,
      reference: row.id,
    })),
  ]
    .sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime())
    .map(({ amountCents, createdAt, ...row }) => ({ ...row, amount: amountCents, since: createdAt.toISOString() }));
}
