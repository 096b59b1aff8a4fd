import type pg from 'pg';
import type { Tx } from '#server/kit/db/db.ts';

/** Who asks, and for what they have already. */
export interface SessionQuestion {
  tokenHash: Buffer;
  /** An office's id, if the session names one. */
  office: string | string[] | null;
  now: Date;
  etag: string | null;
  requestId: string;
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
  body: string | null;
}

/** The queue as text, its ETag, and the answer's HTTP status, in one round trip. */
export async function queueReply(pool: pg.Pool, question: QueueQuestion): Promise<QueueAnswer> {
  const { tokenHash, office, now, day, withCancelled, withDoctorCancelled, etag, requestId } = question;
  const { rows } = await pool.query<QueueAnswer>({
    name: 'queue_reply',
    text: 'select * from queue_reply($1, $2, $3, $4, $5, $6, $7, $8)',
    values: [tokenHash, office, now, day, withCancelled, withDoctorCancelled, etag, requestId],
  });
  const [answer] = rows;
  if (!answer) throw new Error('queue_reply returned no row');
  return answer;
}

/** What changed in today's queue since a version, as text, with its ETag and the answer's HTTP status, in one round trip. */
export async function queueChanges(
  pool: pg.Pool,
  question: SessionQuestion & { since: string | null },
): Promise<QueueAnswer> {
  const { tokenHash, office, now, since, etag, requestId } = question;
  const { rows } = await pool.query<QueueAnswer>({
    name: 'queue_changes',
    text: 'select * from queue_changes($1, $2, $3, $4, $5, $6)',
    values: [tokenHash, office, now, since, etag, requestId],
  });
  const [answer] = rows;
  if (!answer) throw new Error('queue_changes returned no row');
  return answer;
}

/** The visits of a day whose patients have checked in, with how many forms of each are filed. */
export function checkedInEntries(tx: Tx, officeId: string, day: string) {
  return tx
    .selectFrom('queueEntry')
    .select((q) => [
      'entry',
      q
        .selectFrom('formSubmission as f')
        .select((f) => f.fn.countAll<number>().as('n'))
        .whereRef('f.officeId', '=', 'queueEntry.officeId')
        .whereRef('f.visitId', '=', 'queueEntry.id')
        .where('f.state', '<>', 'draft')
        .where('f.supersededAt', 'is', null)
        .as('formsFiled'),
    ])
    .where('officeId', '=', officeId)
    .where('day', '=', day)
    .where('status', '!=', 'EXPECTED')
    .orderBy('createdAt')
    .execute();
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
