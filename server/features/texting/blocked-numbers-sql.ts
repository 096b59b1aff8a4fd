import { sql } from 'kysely';
import type { TextBlock } from '#contract/queue.ts';
import type { Tx } from '#server/kit/db/db.ts';

/** Why this office cannot text a number; null if it can. */
export async function textBlockOf(tx: Tx, officeId: string, phone: string): Promise<TextBlock | null> {
  return (await textBlocksOf(tx, officeId, [phone])).get(phone) ?? null;
}

/** The numbers of the list that get no texts from this office, and why. */
export async function textBlocksOf(
  tx: Tx,
  officeId: string,
  phones: readonly string[],
): Promise<Map<string, TextBlock>> {
  const { rows } = await sql<{ phone: string; block: TextBlock }>`
    select b.phone, b.block from blocked_number b
    where b.office_id = ${officeId} and b.phone in (select unnest(${phones}::text[]))`.execute(tx);
  return new Map(rows.map(({ phone, block }) => [phone, block]));
}

/**
 * The column `textBlock` of the table that a statement calls by this letter: why its number gets no texts. As the view `blocked_number`
 * says it, in words that a distributed PostgreSQL takes beside other sub-selects.
 */
export const textBlockColumn = (table: 'c' | 'e' | 'v', officeId: string) => {
  const row = (from: 'opt_out' | 'landline') => sql`
    from ${sql.table(from)} b where b.office_id = ${officeId} and b.phone = ${sql.ref(`${table}.phone`)}`;
  return sql<TextBlock | null>`coalesce((select 'opted-out' ${row('opt_out')}), (select 'landline' ${row('landline')}))`.as(
    'textBlock',
  );
};
