import type pg from 'pg';

/** Counts over all offices, without anything that names one. */
export interface OnCallCounts {
  textsDue: number;
  oldestDueSeconds: number;
  /** Texts of the last day whose delivery the carrier cannot tell. */
  textsUnknown: number;
  entriesUnchained: number;
  oldestUnchainedSeconds: number;
}

export async function onCallCounts(pool: pg.Pool, now: Date): Promise<OnCallCounts> {
  const { rows } = await pool.query<Record<string, number>>({
    name: 'door_on_call',
    text: 'select * from door_on_call($1)',
    values: [now],
  });
  const [row = {}] = rows;
  return {
    textsDue: row.texts_due ?? 0,
    oldestDueSeconds: row.oldest_due_seconds ?? 0,
    textsUnknown: row.texts_unknown ?? 0,
    entriesUnchained: row.entries_unsealed ?? 0,
    oldestUnchainedSeconds: row.oldest_unsealed_seconds ?? 0,
  };
}
