import type { OfficeCtx } from './context.ts';
import type { Tx } from './kit/db/db.ts';

/** Whether the office has this NPI, now or earlier. */
export async function hasNpi(tx: Tx, officeId: string, npi: string): Promise<boolean> {
  const row = await tx
    .selectFrom('officeNpi')
    .select('id')
    .where('officeId', '=', officeId)
    .where('npi', '=', npi)
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether this names the caller's office: its id, its NPI, or an earlier NPI. */
export async function isOwnOfficeName(tx: Tx, { officeId, npi }: OfficeCtx, name: string): Promise<boolean> {
  return name === npi || name === officeId || (await hasNpi(tx, officeId, name));
}
