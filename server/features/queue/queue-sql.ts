import { sql } from 'kysely';
import type pg from 'pg';
import { queryEnteringOffice, type Tx } from '#server/kit/db/db.ts';

/** Who asks, and for what they have already. */
export interface SessionQuestion {
  tokenHash: Buffer;
  /** An office's id, if the session names one. */
  office: string | string[] | null;
  now: Date;
  etag: string | null;
  requestId: string;
  /** The ETag of the answer to this question that this process holds; if it is still the answer, the body stays in the database. */
  held: string | null;
}

interface QueueQuestion extends SessionQuestion {
  /** `YYYY-MM-DD`; null for today. */
  day: string | null;
  withCancelled: boolean;
  withDoctorCancelled: boolean;
}

export interface QueueAnswer {
  status: number;
  etag: string | null;
  /** Null unless the status is 200, or if it is the answer held. */
  body: string | null;
}

/** The queue as text, its ETag, and the answer's HTTP status, in one round trip. */
export async function queueReply(pool: pg.Pool, question: QueueQuestion): Promise<QueueAnswer> {
  const { tokenHash, office, now, day, withCancelled, withDoctorCancelled, etag, requestId, held } = question;
  const { rows } = await queryEnteringOffice<QueueAnswer>(pool, {
    name: 'queue_reply_or_held',
    text: 'select * from queue_reply_or_held($1, $2, $3, $4, $5, $6, $7, $8, $9)',
    values: [tokenHash, office, now, day, withCancelled, withDoctorCancelled, etag, requestId, held],
  });
  const [answer] = rows;
  if (!answer) throw new Error('queue_reply_or_held returned no row');
  return answer;
}

/** What changed in today's queue since a version, as text, with its ETag and the answer's HTTP status, in one round trip. */
export async function queueChanges(
  pool: pg.Pool,
  question: SessionQuestion & { since: string | null },
): Promise<QueueAnswer> {
  const { tokenHash, office, now, since, etag, requestId, held } = question;
  const { rows } = await queryEnteringOffice<QueueAnswer>(pool, {
    name: 'queue_changes_or_held',
    text: 'select * from queue_changes_or_held($1, $2, $3, $4, $5, $6, $7)',
    values: [tokenHash, office, now, since, etag, requestId, held],
  });
  const [answer] = rows;
  if (!answer) throw new Error('queue_changes_or_held returned no row');
  return answer;
}

/** The visits of a day whose patients have checked in, with how many forms of each are filed. */
export async function checkedInEntries(tx: Tx, officeId: string, day: string) {
  const [{ rows }, counts] = await Promise.all([
    sql<{ id: string; entry: unknown }>`
      select id, entry from queue_entries(${officeId}::uuid, ${day}::date, null)
      where status <> 'EXPECTED' order by created_at`.execute(tx),
    tx
      .selectFrom('formSubmission as f')
      .innerJoin('visit as v', (join) => join.onRef('v.officeId', '=', 'f.officeId').onRef('v.id', '=', 'f.visitId'))
      .select((q) => ['f.visitId', q.fn.countAll<number>().as('filed')])
      .where('f.officeId', '=', officeId)
      .where('v.day', '=', day)
      .where('f.state', '<>', 'draft')
      .where('f.supersededAt', 'is', null)
      .groupBy('f.visitId')
      .execute(),
  ]);
  const filed = new Map(counts.map((count) => [count.visitId, count.filed]));
  return rows.map(({ id, entry }) => ({ entry, formsFiled: filed.get(id) ?? 0 }));
}

export interface DueVisit {
  officeId: string;
  visitId: string;
}

/** Visits of all offices that are invited by their timer now. */
export async function dueAutoInvites(pool: pg.Pool, now: Date, limit: number): Promise<DueVisit[]> {
  const { rows } = await pool.query<{ office_id: string; visit_id: string }>(
    'select * from door_due_auto_invites($1, $2)',
    [now, limit],
  );
  return rows.map(({ office_id: officeId, visit_id: visitId }) => ({ officeId, visitId }));
}
