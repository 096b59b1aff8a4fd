import type { OfficeCtx } from '#server/context.ts';
import { hasNpi } from '#server/features/office/index.ts';
import type { Tx } from '#server/kit/db/db.ts';

/** Whether this bucket belongs to the caller's office: its id, its NPI, or an earlier NPI. */
export async function isOwnOfficeName(tx: Tx, { officeId, npi }: OfficeCtx, bucket: string): Promise<boolean> {
  return bucket === npi || bucket === officeId || (await hasNpi(tx, officeId, bucket));
}
