import { sql } from 'kysely';
import type { Tx } from '#server/kit/db/db.ts';

/** Everybody who works in the office or has entries in its audit log. Walks the index from person to person instead of reading the log. */
export async function peopleOfLog(tx: Tx, officeId: string): Promise<{ id: string; isColleague: boolean }[]> {
  const { rows } = await sql<{ id: string; isColleague: boolean }>`
    with recursive actors as (
      (
        select actor_id from audit_entry
        where office_id = ${officeId} and actor_id is not null and actor = 'staff'
        order by actor_id limit 1
      )
      union all
      select (
        select e.actor_id from audit_entry e
        where e.office_id = ${officeId} and e.actor_id > a.actor_id and e.actor = 'staff'
        order by e.actor_id limit 1
      )
      from actors a where a.actor_id is not null
    )
    select person_id as id, true as is_colleague from membership where office_id = ${officeId}
    union all
    select actor_id, false from actors
    where actor_id is not null
      and not exists (select from membership where office_id = ${officeId} and person_id = actor_id)`.execute(tx);
  return rows;
}
