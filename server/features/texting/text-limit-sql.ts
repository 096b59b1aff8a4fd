import { sql } from 'kysely';
import type { Tx } from '#server/kit/db/db.ts';

/**
 * True if the number's owner opened a texted link of this practice on that day, or is on its staff. Then texts of other practices to that
 * number do not count against this one.
 */
export async function isProvedNumber(tx: Tx, officeId: string, phone: string, day: string): Promise<boolean> {
  const { rows } = await sql<{ proved: boolean }>`
    select
      exists (
        select 1 from visit
        where office_id = ${officeId} and phone = ${phone} and day = ${day} and proved_at is not null
      )
      or exists (
        select 1 from membership m join auth.identity i on i.person_id = m.person_id
        where m.office_id = ${officeId} and i.kind = 'phone' and i.value = ${phone}
      ) as proved`.execute(tx);
  return rows[0]?.proved ?? false;
}

/** True if this number checked in here or belongs to the staff. An unconfirmed practice may text no other number. */
export async function isKnownNumber(tx: Tx, officeId: string, phone: string): Promise<boolean> {
  const { rows } = await sql<{ knows: boolean }>`
    select
      exists (select 1 from visit where office_id = ${officeId} and phone = ${phone} and arrived_at is not null)
      or exists (
        select 1 from membership m join auth.identity i on i.person_id = m.person_id
        where m.office_id = ${officeId} and i.kind = 'phone' and i.value = ${phone}
      ) as knows`.execute(tx);
  return rows[0]?.knows ?? false;
}
