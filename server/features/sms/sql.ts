import { sql } from 'kysely';
import type { TextProblem } from '#contract/queue.ts';
import type { OutboxState } from '#contract/sms.ts';
import type { Tx } from '#server/kit/db/db.ts';

/** Locks the office's sends: a second one plans its texts after the first has saved them. Other texts do not wait. */
export async function lockSends(tx: Tx, officeId: string): Promise<void> {
  await tx.selectFrom('office').select('id').where('id', '=', officeId).forNoKeyUpdate().executeTakeFirstOrThrow();
}

/** How many texts of Send SMS go out in each minute from `since` on (minutes since 1970), without the text `but`. */
export async function textsByMinute(
  tx: Tx,
  officeId: string,
  since: Date,
  but: string | null = null,
): Promise<Map<number, number>> {
  const { rows } = await sql<{ minute: number; texts: number }>`
    select floor(extract(epoch from send_at) / 60)::bigint as minute, count(*) as texts
    from text
    where office_id = ${officeId} and send_at >= date_trunc('minute', ${since}::timestamptz)
      and send_by is not null and state not in ('failed', 'cancelled') and id is distinct from ${but}::uuid
    group by 1`.execute(tx);
  return new Map(rows.map(({ minute, texts }) => [minute, texts]));
}

/** How many of these numbers were, or will be, texted the same message. */
export async function countTexted(
  tx: Tx,
  officeId: string,
  { body, phones, since }: { body: string; phones: string[]; since: Date },
): Promise<number> {
  const { rows } = await sql<{ people: number }>`
    select count(distinct to_phone) as people from text
    where office_id = ${officeId} and send_at >= ${since}::timestamptz and body = ${body}
      and to_phone = any(${phones}::text[]) and state not in ('failed', 'cancelled')`.execute(tx);
  return rows[0]?.people ?? 0;
}

/** The texts for appointments between two times, of these numbers. */
export async function appointmentTexts(
  tx: Tx,
  officeId: string,
  { phones, from, until }: { phones: string[]; from: Date; until: Date },
): Promise<{ phone: string; appointmentAt: Date }[]> {
  const rows = await tx
    .selectFrom('text')
    .select(['toPhone', 'appointmentAt'])
    .where('officeId', '=', officeId)
    .where('appointmentAt', '>=', from)
    .where('appointmentAt', '<=', until)
    .where(sql<boolean>`to_phone = any(${phones}::text[])`)
    .where('state', 'not in', ['failed', 'cancelled'])
    .execute();
  return rows.flatMap(({ toPhone, appointmentAt }) => (appointmentAt ? [{ phone: toPhone, appointmentAt }] : []));
}

/** The text columns that the outbox shows, with the name of the patient who has the number. */
function outboxRows(tx: Tx, officeId: string) {
  return tx
    .selectFrom('text as t')
    .leftJoin('patient as p', (join) => join.onRef('p.officeId', '=', 't.officeId').onRef('p.phone', '=', 't.toPhone'))
    .select([
      't.id',
      't.kind',
      't.visitId',
      't.toPhone',
      't.body',
      't.needsLink',
      't.state',
      't.errorClass',
      't.limitedUntil',
      't.sendAt',
      't.sentAt',
      't.deliveredAt',
      't.retriedAt',
      't.appointmentAt',
      't.sendBy',
      'p.firstName',
      'p.lastName',
    ])
    .where('t.officeId', '=', officeId);
}
export type OutboxRow = Awaited<ReturnType<ReturnType<typeof outboxRows>['executeTakeFirstOrThrow']>>;

const stopped = 'opted-out' satisfies TextProblem;

/** What a search looks for: digits of a number, or words that begin a name of the patient. */
export interface OutboxSearch {
  digits: string | null;
  words: readonly string[];
  /** Something is looked for, but no word or number: it finds nothing. */
  isWordless: boolean;
}

/** The smallest text that is greater than every text with this beginning. */
const afterBeginning = (word: string) => `${word}\u{10FFFF}`;

/** A page of the office's texts, the latest first; with a row more if there is a next page. */
export async function outboxPage(
  tx: Tx,
  officeId: string,
  page: {
    search: OutboxSearch;
    state: OutboxState | undefined;
    before: { sendAt: Date; id: string } | null;
    size: number;
  },
): Promise<OutboxRow[]> {
  const { search, state, before, size } = page;
  let texts = outboxRows(tx, officeId);
  if (search.isWordless) return [];
  if (search.digits !== null) texts = texts.where('t.toPhone', 'like', `%${search.digits}%`);
  for (const word of search.words)
    texts = texts.where('p.id', 'in', (q) =>
      q
        .selectFrom('patientWord as w')
        .select('w.patientId')
        .where('w.officeId', '=', officeId)
        .where('w.word', '>=', word)
        .where('w.word', '<', afterBeginning(word)),
    );
  return texts
    .$if(state !== undefined, (q) =>
      q.where('t.state', '=', state === 'scheduled' ? 'queued' : state === 'stopped' ? 'failed' : (state as 'sent')),
    )
    .$if(state === 'stopped', (q) => q.where('t.errorClass', '=', stopped))
    .$if(state === 'failed', (q) => q.where(sql<boolean>`t.error_class is distinct from ${stopped}`))
    .$if(before !== null, (q) =>
      q.where(sql<boolean>`(t.send_at, t.id) < (${before?.sendAt}::timestamptz, ${before?.id}::uuid)`),
    )
    .orderBy('t.sendAt', 'desc')
    .orderBy('t.id', 'desc')
    .limit(size + 1)
    .execute();
}

/** How many texts of the office are in each state, since then. */
export async function countByState(tx: Tx, officeId: string, since: Date): Promise<Record<string, number>> {
  const { rows } = await sql<{ state: string; texts: number }>`
    select case when state = 'queued' then 'scheduled' when state = 'failed' and error_class = ${stopped} then 'stopped' else state end as state,
      count(*) as texts
    from text where office_id = ${officeId} and send_at >= ${since}::timestamptz group by 1`.execute(tx);
  return Object.fromEntries(rows.map(({ state, texts }) => [state, texts]));
}

export function outboxRow(tx: Tx, officeId: string, id: string): Promise<OutboxRow | undefined> {
  return outboxRows(tx, officeId).where('t.id', '=', id).executeTakeFirst();
}

/** Locks a text: neither a worker nor another desk moves it until the transaction ends. */
export async function lockText(tx: Tx, officeId: string, id: string): Promise<boolean> {
  const row = await tx
    .selectFrom('text')
    .select('id')
    .where('officeId', '=', officeId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  return row !== undefined;
}
