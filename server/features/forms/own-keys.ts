import type { OfficeCtx } from '#server/context.ts';
import type { Tx } from '#server/kit/db/db.ts';

/** Whether this bucket belongs to the caller's office: its id, its NPI, or an earlier NPI. */
export async function isOwnOfficeName(tx: Tx, { officeId, npi }: OfficeCtx, bucket: string): Promise<boolean> {
  if (bucket === npi || bucket === officeId) return true;
  const alias = await tx
    .selectFrom('officeNpi')
    .select('id')
    .where('officeId', '=', officeId)
    .where('npi', '=', bucket)
    .executeTakeFirst();
  return alias !== undefined;
}
