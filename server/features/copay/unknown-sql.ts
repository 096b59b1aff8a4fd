import { sql } from 'kysely';
import type { OpenQuestion } from '#contract/transactions.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { referenceOf } from './send-charge.ts';

const most = 100;

const unknownPayments = (tx: Tx, officeId: string) =>
  tx
    .selectFrom('payment')
    .select(['id', 'visitId', 'patientName', 'amountCents', 'createdAt', 'cardBrand', 'cardLast4'])
    .where('officeId', '=', officeId)
    .where('state', '=', 'UNKNOWN');

const unknownRefunds = (tx: Tx, officeId: string) =>
  tx
    .selectFrom('paymentRefund as r')
    .innerJoin('payment as p', (join) => join.onRef('p.officeId', '=', 'r.officeId').onRef('p.id', '=', 'r.paymentId'))
    .select(['r.id', 'p.id as chargeId', 'p.visitId', 'p.patientName', 'r.amountCents', 'r.createdAt'])
    .select(['p.cardBrand', 'p.cardLast4'])
    .where('r.officeId', '=', officeId)
    .where('r.state', '=', 'UNKNOWN');

const contradictedRefunds = (tx: Tx, officeId: string) =>
  tx
    .selectFrom('paymentRefund as r')
    .innerJoin('payment as p', (join) => join.onRef('p.officeId', '=', 'r.officeId').onRef('p.id', '=', 'r.paymentId'))
    .select(['r.id', 'p.id as chargeId', 'p.visitId', 'p.patientName', 'r.amountCents', 'r.createdAt'])
    .select(['p.cardBrand', 'p.cardLast4'])
    .select('r.contradiction')
    .where('r.officeId', '=', officeId)
    .where('r.contradiction', 'in', ['open', 'paid-twice']);

const openRecordings = (tx: Tx, officeId: string) =>
  tx
    .selectFrom('paymentRecording as r')
    .innerJoin('payment as p', (join) => join.onRef('p.officeId', '=', 'r.officeId').onRef('p.id', '=', 'r.paymentId'))
    .select(['r.id', 'p.id as chargeId', 'p.visitId', 'p.patientName', 'r.amountCents', 'r.createdAt'])
    .select(['r.part', 'r.problem', 'p.cardBrand', 'p.cardLast4'])
    .where('r.officeId', '=', officeId)
    .where('r.state', 'in', ['unknown', 'refused']);

const openCorrections = (tx: Tx, officeId: string) =>
  tx
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
    .having(sql<boolean>`sum(r.amount_cents) - p.corrected_cents > p.amount_cents - p.refunded_cents`);

/** Payments of which the patient got back more than they paid, and which nobody has settled yet. */
const excessRefunds = (tx: Tx, officeId: string) =>
  tx
    .selectFrom('payment')
    .select(['id', 'visitId', 'patientName', 'createdAt', 'cardBrand', 'cardLast4'])
    .select(sql<number>`excess_refunded_cents - excess_settled_cents`.as('amountCents'))
    .where('officeId', '=', officeId)
    .whereRef('excessRefundedCents', '>', 'excessSettledCents');

/** What the provider reported about charges that had gone through, and nobody has seen to. */
const openNotices = (tx: Tx, officeId: string) =>
  tx
    .selectFrom('paymentNotice as n')
    .innerJoin('payment as p', (join) => join.onRef('p.officeId', '=', 'n.officeId').onRef('p.id', '=', 'n.paymentId'))
    .select(['n.id', 'p.id as chargeId', 'p.visitId', 'p.patientName', 'n.amountCents', 'n.createdAt'])
    .select(['p.cardBrand', 'p.cardLast4', 'n.kind'])
    .where('n.officeId', '=', officeId)
    .where('n.settledAt', 'is', null);

/** The first payments of requests that were charged twice, and nobody has said yet that this is right. */
const chargedTwice = (tx: Tx, officeId: string) =>
  tx
    .selectFrom('payment')
    .select(['id', 'visitId', 'patientName', 'createdAt'])
    .select(sql<number>`charged_twice_cents - charged_twice_settled_cents`.as('amountCents'))
    .where('officeId', '=', officeId)
    .whereRef('chargedTwiceCents', '>', 'chargedTwiceSettledCents');

/** The payments of these requests that were charged, oldest first. */
async function chargesOf(tx: Tx, officeId: string, firstTryIds: readonly string[]) {
  if (firstTryIds.length === 0) return [];
  return tx
    .selectFrom('payment')
    .select(['id', 'firstTryId', 'amountCents', 'cardBrand', 'cardLast4', 'createdAt'])
    .where('officeId', '=', officeId)
    .where((row) => row.or([row('id', 'in', firstTryIds), row('firstTryId', 'in', firstTryIds)]))
    .where('state', '=', 'SUCCEEDED')
    .whereRef('refundedCents', '<', 'amountCents')
    .orderBy('createdAt')
    .orderBy('id')
    .execute();
}

/** How many payments, refunds and recordings a person has to look up or correct. */
export async function numberOfQuestions(tx: Tx, officeId: string): Promise<number> {
  const counted = [
    await unknownPayments(tx, officeId).clearSelect().select(countAll).executeTakeFirstOrThrow(),
    await contradictedRefunds(tx, officeId).clearSelect().select(countAll).executeTakeFirstOrThrow(),
    await unknownRefunds(tx, officeId).clearSelect().select(countAll).executeTakeFirstOrThrow(),
    await openRecordings(tx, officeId).clearSelect().select(countAll).executeTakeFirstOrThrow(),
    await openNotices(tx, officeId).clearSelect().select(countAll).executeTakeFirstOrThrow(),
    await chargedTwice(tx, officeId).clearSelect().select(countAll).executeTakeFirstOrThrow(),
    await excessRefunds(tx, officeId).clearSelect().select(countAll).executeTakeFirstOrThrow(),
    await tx.selectFrom(openCorrections(tx, officeId).as('correction')).select(countAll).executeTakeFirstOrThrow(),
  ];
  return counted.reduce((sum, { count }) => sum + Number(count), 0);
}

const countAll = sql<string>`count(*)`.as('count');

/** Payments, refunds and recordings that a person has to look up or correct, oldest first. */
export async function openQuestions(tx: Tx, officeId: string): Promise<OpenQuestion[]> {
  const payments = await unknownPayments(tx, officeId).orderBy('createdAt').limit(most).execute();
  const refunds = await unknownRefunds(tx, officeId).orderBy('r.createdAt').limit(most).execute();
  const contradicted = await contradictedRefunds(tx, officeId).orderBy('r.createdAt').limit(most).execute();
  const recordings = await openRecordings(tx, officeId).orderBy('r.createdAt').limit(most).execute();
  const excess = await excessRefunds(tx, officeId).orderBy('createdAt').limit(most).execute();
  const corrections = await openCorrections(tx, officeId).orderBy('p.createdAt').limit(most).execute();
  const notices = await openNotices(tx, officeId).orderBy('n.createdAt').limit(most).execute();
  const twice = await chargedTwice(tx, officeId).orderBy('createdAt').limit(most).execute();
  const charges = await chargesOf(
    tx,
    officeId,
    twice.map(({ id }) => id),
  );
  const without = { part: null, problem: null, charges: [] };
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
    ...contradicted.map(({ contradiction, ...row }) => ({
      ...row,
      ...without,
      kind: contradiction === 'open' ? ('contradiction' as const) : ('paid-twice' as const),
      reference: atProvider(row.id),
    })),
    ...excess.map((row) => ({
      ...row,
      ...without,
      kind: 'excess' as const,
      chargeId: row.id,
      reference: atProvider(row.id),
    })),
    ...notices.map((row) => ({ ...row, ...without, reference: atProvider(row.chargeId) })),
    ...twice.map((row) => ({
      ...row,
      ...without,
      kind: 'charged-twice' as const,
      chargeId: row.id,
      reference: atProvider(row.id),
      cardBrand: null,
      cardLast4: null,
      charges: charges
        .filter(({ id, firstTryId }) => (firstTryId ?? id) === row.id)
        .map(({ id, firstTryId: _, amountCents, createdAt, ...card }) => ({
          ...card,
          chargeId: id,
          amount: amountCents,
          reference: atProvider(id),
          createdAt: createdAt.toISOString(),
        })),
    })),
    ...recordings.map((row) => ({ ...row, kind: 'recording' as const, reference: row.chargeId, charges: [] })),
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
