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
 * begun is in neither, nor are the own words of a practice that is not confirmed.
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
    // Held before the operator limited the practice.
    .where(({ not, exists, selectFrom, and, eb }) =>
      not(
        and([
          eb('kind', '=', 'message'),
          exists(selectFrom('office').select('id').where('id', '=', officeId).where('confirmedAt', 'is', null)),
        ]),
      ),
    )
    .orderBy('sendAt')
    .execute();
  const ids = held.filter(({ sendAt }) => sendAt >= since).map(({ id }) => id);
  return { ids, older: held.length - ids.length };
}
