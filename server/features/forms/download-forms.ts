import type { FormUrl } from '#contract/forms/shapes.ts';
import type { OfficeCtx, VisitCtx } from '#server/context.ts';
import { linkToFile } from '#server/features/files/index.ts';
import { entriesFor } from '#server/features/queue/index.ts';
import { writeAuditEntry, writeAuditEntries } from '#server/kit/audit.ts';
import { dayOf } from '#server/kit/day.ts';
import type { FileAnswer } from '#server/kit/http/file-answer.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { openFile } from './files.ts';
import { isOwnBucket } from './own-keys.ts';
import { fileColumns, formsByKey, type FiledPdf } from './sql.ts';
import { namesFor, safeName, zipOf } from './zip.ts';

interface ByKey {
  key: string;
  bucket?: string | undefined;
}

/** A short-lived address that shows one PDF. */
export async function readFormUrl(ctx: OfficeCtx, asked: ByKey): Promise<FormUrl> {
  const row = await handedOut(ctx, asked, 'form.open');
  return linkToFile(ctx, row.objectKey ?? '', fileNameOf(row, ctx.timeZone));
}

/** One PDF. */
export async function downloadForm(ctx: OfficeCtx, asked: ByKey): Promise<FileAnswer> {
  const row = await handedOut(ctx, asked, 'form.download');
  const { content, file } = await openFile(ctx, row.objectKey ?? '');
  const fileName = fileNameOf(row, ctx.timeZone);
  return { content, contentType: 'application/pdf', bytes: file.bytes, disposition: 'attachment', fileName };
}

/** The form of a key, if it is the caller's office's; the record says that it was handed out. */
async function handedOut(ctx: OfficeCtx, { key, bucket }: ByKey, action: string): Promise<FiledPdf> {
  return ctx.transaction(async (tx) => {
    if (bucket !== undefined && !(await isOwnBucket(tx, ctx, bucket))) throw new Refusal('form_not_found');
    const [row] = await formsByKey(tx, ctx.officeId, [key]);
    if (!row) throw new Refusal('form_not_found');
    await writeAuditEntry(tx, ctx, { action, subject: row.id });
    return row;
  });
}

/** A zip of PDFs. Every one of them stands in the record before the first byte leaves. */
export async function bulkDownload(
  ctx: OfficeCtx,
  { forms, bucket }: { forms: string[]; bucket?: string | undefined },
): Promise<FileAnswer> {
  const keys = [...new Set(forms)];
  const rows = await ctx.transaction(async (tx) => {
    if (bucket !== undefined && !(await isOwnBucket(tx, ctx, bucket))) throw new Refusal('form_not_found');
    const found = await formsByKey(tx, ctx.officeId, keys);
    // One key that is not ours is no key at all: nothing tells which.
    if (found.length !== keys.length) throw new Refusal('form_not_found');
    const told = { action: 'form.download', details: { zip: found.length } };
    await writeAuditEntries(
      tx,
      ctx,
      told,
      found.map(({ id }) => id),
    );
    const byKey = new Map(found.map((row) => [row.objectKey, row]));
    return keys.map((key) => byKey.get(key)).filter((row) => row !== undefined);
  });
  const names = namesFor(rows.map((row) => plainName(row, ctx.timeZone)));
  const { content, bytes } = await zipOf(
    rows.map((row, i) => ({
      name: names[i] ?? `${i}.pdf`,
      bytes: row.bytes ?? 0,
      at: row.completedAt ?? ctx.now(),
      open: async () => (await openFile(ctx, row.objectKey ?? '')).content,
    })),
  );
  const fileName = `forms-${dayOf(ctx.now(), ctx.timeZone)}.zip`;
  return { content, contentType: 'application/zip', bytes, disposition: 'attachment', fileName };
}

/** The patient's own copy of what they submitted. */
export async function openVisitForm(ctx: VisitCtx, given: { memberId: string; formType: string }): Promise<FormUrl> {
  const { row, timeZone } = await ctx.transaction(async (tx) => {
    const own = await entriesFor(tx, ctx);
    const found = await tx
      .selectFrom('formSubmission as s')
      .innerJoin('office as o', 'o.id', 's.officeId')
      .select(fileColumns.map((column) => `s.${column}` as const))
      .select('o.timeZone')
      .$if(own !== null, (q) => q.where('s.tokenId', '=', own))
      .where('s.officeId', '=', ctx.officeId)
      .where('s.visitId', '=', ctx.visitId)
      .where('s.memberId', '=', given.memberId)
      .where('s.formType', '=', given.formType)
      .where('s.state', '<>', 'draft')
      .where('s.supersededAt', 'is', null)
      .executeTakeFirst();
    if (!found) throw new Refusal('form_not_found');
    await writeAuditEntry(tx, ctx, { action: 'form.open-by-patient', subject: found.id });
    return { row: found, timeZone: found.timeZone };
  });
  return linkToFile(ctx, row.objectKey ?? '', fileNameOf(row, timeZone));
}

type Named = Pick<FiledPdf, 'patientName' | 'formName' | 'completedAt'>;

function plainName({ patientName, formName, completedAt }: Named, timeZone: string): string {
  return `${completedAt ? dayOf(completedAt, timeZone) : ''} ${patientName} ${formName}`;
}

/** What the file is called on the desk's disk; in the store it has no name of a person. */
export const fileNameOf = (row: Named, timeZone: string) => `${safeName(plainName(row, timeZone))}.pdf`;
