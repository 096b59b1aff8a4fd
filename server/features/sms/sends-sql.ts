import { sql } from 'kysely';
import type { Tx } from '#server/kit/db/db.ts';

export interface SendRow {
  id: string;
  startedAt: Date;
  sentBy: string;
  body: string;
  people: number;
  gone: number;
  failed: number;
  canceled: number;
  toGo: number;
  held: number;
  lastSendAt: Date | null;
}

/** A retry of a failed text is a text of its own and belongs to no send. The body: what most of them say, because staff may change one. */
const countedSend = sql`
  t.send_id as id, min(t.created_at) as started_at, coalesce(min(t.send_by), '') as sent_by, mode() within group (order by t.body) as body,
  count(*)::int as people,
  (count(*) filter (where t.state in ('sending', 'sent', 'delivered', 'unknown')))::int as gone,
  (count(*) filter (where t.state = 'failed'))::int as failed,
  (count(*) filter (where t.state = 'cancelled'))::int as canceled,
  (count(*) filter (where t.state in ('queued', 'held')))::int as to_go,
  (count(*) filter (where t.state = 'held'))::int as held,
  max(t.send_at) filter (where t.state = 'queued') as last_send_at`;

/** The newest sends, the latest first. It jumps from one send's id to the one before it, instead of reading all texts of the office. */
export async function newestSends(
  tx: Tx,
  officeId: string,
  { count, since }: { count: number; since: Date },
): Promise<SendRow[]> {
  const { rows } = await sql<SendRow>`
    with recursive newest (id, place) as (
      (select send_id, 1 from text where office_id = ${officeId} and send_id is not null order by send_id desc limit 1)
      union all
      select (
        select send_id from text where office_id = ${officeId} and send_id < newest.id order by send_id desc limit 1
      ), place + 1
      from newest where newest.id is not null and place < ${count}::int
    )
    select ${countedSend}
    from text t
    where t.office_id = ${officeId} and t.send_id in (select id from newest)
    group by t.send_id
    having min(t.created_at) >= ${since}::timestamptz or bool_or(t.state in ('queued', 'held'))
    order by t.send_id desc`.execute(tx);
  return rows;
}

export async function findSend(tx: Tx, officeId: string, id: string): Promise<SendRow | undefined> {
  const { rows } = await sql<SendRow>`
    select ${countedSend} from text t where t.office_id = ${officeId} and t.send_id = ${id}::uuid group by t.send_id`.execute(
    tx,
  );
  return rows[0];
}
