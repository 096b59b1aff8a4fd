import type { FormUrl } from '#contract/forms/shapes.ts';
import type { OfficeCtx } from '#server/context.ts';
import { linkToFile } from '#server/features/files/index.ts';
import { writeAuditEntry } from '#server/kit/audit.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { FileMissing } from '#server/providers/storage/port.ts';
import { hashOf } from './sync-agreement.ts';
import { signedAgreement } from './sql.ts';

/** A link to the signed PDF, valid for two minutes. Refuses if the stored file is not what was signed. */
export async function downloadAgreement(ctx: OfficeCtx): Promise<FormUrl> {
  const { storage } = ctx.providers;
  const row = await ctx.transaction((tx) => signedAgreement(tx, ctx.officeId));
  if (!row?.fileKey) throw new Refusal('not_found');
  const sha256 = await storage
    .get(row.fileKey)
    .then(({ content }) => hashOf(content))
    .catch((error: unknown) => {
      if (error instanceof FileMissing) return null;
      throw storageUnavailable(ctx, error);
    });
  if (sha256 !== row.fileSha256) {
    ctx.log.error({ agreement: row.id }, 'the stored agreement is not what was signed');
    throw new Refusal('file_damaged', { id: row.id });
  }
  const fileName = `business-associate-agreement-${ctx.npi}-${row.version}.pdf`;
  const link = await linkToFile(ctx, row.fileKey, fileName, { disposition: 'attachment' });
  await ctx.transaction((tx) => writeAuditEntry(tx, ctx, { action: 'agreement.download', subject: row.id }));
  return link;
}

function storageUnavailable({ log }: OfficeCtx, error: unknown): Refusal {
  const { name, code } = error as { name?: string; code?: string };
  log.error({ name, code }, 'the file store refused');
  return new Refusal('files_away', undefined, 5);
}
