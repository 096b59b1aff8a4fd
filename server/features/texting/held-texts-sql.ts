import type pg from 'pg';
import { textLimitNames } from '#contract/queue.ts';
import type { Tx } from '#server/kit/db/db.ts';

/** The ids of all practices, for a command of the operator. */
export async function officeIds(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>('select door_office_ids() as id');
  return rows.map(({ id }) => id);
}

/**
 * The held texts due since then, and the number of older ones. A text held for its lateness has no error class. One whose appointment has
 * begun is in neither.
 */
export async function heldTexts(
  tx: Tx,
  officeId: string,
  { since, limited }: { since: Date; limited: boolean },
): Promise<{ ids: string[]; older: number }> {
  const held = await tx
    .selectFrom('text')
    .select(['id', 'sendAt'])
    .where('officeId', '=', officeId)
    .where('state', '=', 'held')
    .where((text) =>
      text.or([text('errorClass', 'is', null), ...(limited ? [text('errorClass', 'in', textLimitNames)] : [])]),
    )
    .orderBy('sendAt')
    .execute();
  const ids = held.filter(({ sendAt }) => sendAt >= since).map(({ id }) => id);
  return { ids, older: held.length - ids.length };
}
