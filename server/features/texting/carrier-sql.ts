import type pg from 'pg';

/** The text that a carrier names by its own id. */
export async function textOfProvider(
  pool: pg.Pool,
  providerId: string,
): Promise<{ officeId: string; id: string } | null> {
  const { rows } = await pool.query<{ office_id: string; id: string }>('select * from door_text_by_provider($1)', [
    providerId,
  ]);
  return rows[0] ? { officeId: rows[0].office_id, id: rows[0].id } : null;
}

/** The office that texts come to at this number. */
export async function officeOfNumber(pool: pg.Pool, phone: string): Promise<string | null> {
  const { rows } = await pool.query<{ id: string | null }>('select door_office_by_text_number($1) as id', [phone]);
  return rows[0]?.id ?? null;
}
