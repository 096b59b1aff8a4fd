import type { Tx } from '#server/kit/db/db.ts';
import { isLimited } from '#server/office-row.ts';
import { readDefinition } from './definitions.ts';
import type { SubmissionRow } from './sql.ts';

/** While a practice is limited, nobody fills in its own questionnaires. Drafts stay stored and are there again once it is confirmed. */
export async function isPaused(tx: Tx, officeId: string, definitionId: string): Promise<boolean> {
  if (!(await isLimited(tx, officeId))) return false;
  return (await readDefinition(tx, officeId, definitionId))?.own === true;
}

/** Submitted forms stay readable. */
export async function withoutPausedDrafts(
  tx: Tx,
  officeId: string,
  rows: readonly SubmissionRow[],
): Promise<SubmissionRow[]> {
  const open: SubmissionRow[] = [];
  for (const row of rows) {
    if (row.state !== 'draft' || !(await isPaused(tx, officeId, row.definitionId))) open.push(row);
  }
  return open;
}
