import { randomInt, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { OpenQuestion } from '#contract/transactions.ts';
import type { Db } from '#server/kit/db/db.ts';

/** Calls our API as somebody of the office; null without an answer. */
export type SendToDo = (
  method: 'GET' | 'POST',
  path: string,
  body?: object,
) => Promise<{ status: number; body: Record<string, unknown> } | null>;

const path = '/payments/merchant/unknown';

/**
 * Somebody looks up what is on the office's to-do list, and says what there is; `wrong` is the share of answers that say the opposite. What the
 * practice software has is always told as it is: it is never asked again. Of two payments of one request one is refunded, also at that share. `db` sees all offices. Returns how much was answered, and wrongly.
 */
export async function answerToDoList(
  db: Db,
  office: { id: string },
  send: SendToDo,
  { wrong, most }: { wrong: number; most: number },
): Promise<{ answered: number; wrongly: number }> {
  const list = await send('GET', path);
  const questions = (list?.status === 200 ? list.body.questions : []) as OpenQuestion[];
  const count = { answered: 0, wrongly: 0 };
  const from = randomInt(Math.max(1, questions.length));
  for (const { kind, id, chargeId, part, amount, charges } of [
    ...questions.slice(from),
    ...questions.slice(0, from),
  ].slice(0, most)) {
    if (kind === 'charged-twice') {
      if (Math.random() >= wrong) count.answered += await refundOne(send, charges);
      continue;
    }
    const truth = {
      payment: () => isMade(db, `${office.id}.${id}`),
      refund: () => isMade(db, `${office.id}.${id}`),
      // Nobody here gives cash.
      contradiction: async () => false,
      'paid-twice': async () => true,
      excess: async () => true,
      bounced: async () => true,
      dispute: async () => true,
      correction: async () => true,
      recording: () => isRecorded(db, { chargeId, part, amount }),
    }[kind];
    const isTrue = await truth();
    const isWrong = (kind === 'payment' || kind === 'refund') && Math.random() < wrong;
    await send('POST', path, { kind, id, happened: isTrue !== isWrong });
    count.answered++;
    if (isWrong) count.wrongly++;
  }
  return count;
}

/** Gives back all of one of these payments, as the screen says; returns how many that were. */
async function refundOne(send: SendToDo, charges: OpenQuestion['charges']): Promise<number> {
  const { chargeId, amount } = charges.at(-1) ?? {};
  if (chargeId === undefined) return 0;
  const payment = await send('GET', `/payments/charges/${chargeId}`);
  const refunds = (payment?.body.refunds ?? []) as { amount: number; state: string }[];
  const taken = refunds.filter(({ state }) => state !== 'FAILED').reduce((sum, refund) => sum + refund.amount, 0);
  if (payment?.status !== 200 || taken >= (amount ?? 0)) return 0;
  const body = { id: randomUUID(), amount: (amount ?? 0) - taken, reason: 'Paid twice' };
  await send('POST', `/payments/charges/${chargeId}/refund`, body);
  return 1;
}

async function isMade(db: Db, reference: string): Promise<boolean> {
  const { rows } =
    await sql`select from charges.transfer where reference = ${reference} and state = 'SUCCEEDED'`.execute(db);
  return rows.length > 0;
}

/** Whether the practice software has an entry that we do not know of. */
async function isRecorded(
  db: Db,
  { chargeId, part, amount }: { chargeId: string; part: string | null; amount: number },
): Promise<boolean> {
  const { rows } = await sql`
    select from practice_software.payment where right(note, 36) = ${chargeId} and (claim_id is null) = ${part === 'copay'}
      and amount_cents = ${amount} and id::text not in (select coalesce(record_id, '') from payment_recording)`.execute(
    db,
  );
  return rows.length > 0;
}

/** From now on the provider tells what it has. */
export async function tellEverything(db: Db): Promise<void> {
  await sql`update charges.transfer set behavior = 'ok' where behavior in ('no-answer', 'answer-lost')`.execute(db);
}
