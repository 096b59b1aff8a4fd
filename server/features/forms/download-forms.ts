import type { FormUrl } from '#contract/forms/shapes.ts';
import type { OfficeCtx, VisitCtx } from '#server/context.ts';
import { linkToFile } from '#server/features/files/index.ts';
import { entryOwnerFor } from '#server/features/queue/index.ts';
import { writeAuditEntry, writeAuditEntries } from '#server/kit/audit.ts';
import { dayOf } from '#server/kit/day.ts';
import type { Tx } from '#server/kit/db/db.ts';
import type { FileAnswer } from '#server/kit/http/file-answer.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { openFormFile } from './files.ts';
import { isOwnOfficeName } from '#server/own-office-name.ts';
import { findMemberPdf, formsByKey, type FiledPdf } from './sql.ts';
import { namesFor, safeName, createZip } from './zip.ts';

/** Which form: by the key of its PDF. */
export interface FormKey {
  key: string;
  bucket?: string | undefined;
}

/** A short-lived URL that shows one PDF. */
export async function readFormUrl(ctx: OfficeCtx, formKey: FormKey): Promise<FormUrl> {
  const row = await handOutPdf(ctx, formKey, 'form.open');
  return linkToFile(ctx, row.objectKey ?? '', fileNameOf(row, ctx.timeZone));
}

/** One PDF. */
export async function downloadForm(ctx: OfficeCtx, formKey: FormKey): Promise<FileAnswer> {
  const row = await handOutPdf(ctx, formKey, 'form.download');
  const { content, file } = await openFormFile(ctx, row.objectKey ?? '');
  const fileName = fileNameOf(row, ctx.timeZone);
  return { content, contentType: 'application/pdf', bytes: file.bytes, disposition: 'attachment', fileName };
}

/** Finds the PDF of a key in the caller's office and writes the audit entry of its disclosure. */
export async function handOutPdf(
  ctx: OfficeCtx,
  formKey: FormKey,
  action: 'form.open' | 'form.download',
): Promise<FiledPdf> {
  return ctx.transaction(async (tx) => {
    const row = await findPdf(tx, ctx, formKey);
    await writeAuditEntry(tx, ctx, { action, subject: row.id });
    return row;
  });
}

/** The form of a key in the caller's office. */
export async function findPdf(tx: Tx, ctx: OfficeCtx, { key, bucket }: FormKey): Promise<FiledPdf> {
  if (bucket !== undefined && !(await isOwnOfficeName(tx, ctx, bucket))) throw new Refusal('form_not_found');
  const [row] = await formsByKey(tx, ctx.officeId, [key]);
  if (!row) throw new Refusal('form_not_found');
  return row;
}

/** A zip of PDFs. Each has its audit entry before the first byte is sent. */
export async function bulkDownload(
  ctx: OfficeCtx,
  { forms, bucket }: { forms: string[]; bucket?: string | undefined },
): Promise<FileAnswer> {
  const keys = [...new Set(forms)];
  const rows = await ctx.transaction(async (tx) => {
    if (bucket !== undefined && !(await isOwnOfficeName(tx, ctx, bucket))) throw new Refusal('form_not_found');
    const found = await formsByKey(tx, ctx.officeId, keys);
    // One key of another office refuses the whole download, without saying which key it is.
    if (found.length !== keys.length) throw new Refusal('form_not_found');
    const ids = found.map(({ id }) => id);
    await writeAuditEntries(tx, ctx, { action: 'form.download', details: { zip: ids.length } }, ids);
    const byKey = new Map(found.map((row) => [row.objectKey, row]));
    return keys.map((key) => byKey.get(key)).filter((row) => row !== undefined);
  });
  const names = namesFor(rows.map((row) => plainName(row, ctx.timeZone)));
  const { content, bytes } = await createZip(
    rows.map((row, i) => ({
      name: names[i] ?? `${i}.pdf`,
      bytes: row.bytes ?? 0,
      at: row.completedAt ?? ctx.now(),
      open: async () => (await openFormFile(ctx, row.objectKey ?? '')).content,
    })),
  );
  const fileName = `forms-${dayOf(ctx.now(), ctx.timeZone)}.zip`;
  return { content, contentType: 'application/zip', bytes, disposition: 'attachment', fileName };
}

/** The patient's own copy of what they submitted. */
export async function openVisitForm(
  ctx: VisitCtx,
  memberForm: { memberId: string; formType: string },
): Promise<FormUrl> {
  const { row, timeZone } = await ctx.transaction(async (tx) => {
    const own = await entryOwnerFor(tx, ctx);
    const found = await findMemberPdf(tx, { officeId: ctx.officeId, visitId: ctx.visitId, ...memberForm, own });
    if (!found) throw new Refusal('form_not_found');
    await writeAuditEntry(tx, ctx, { action: 'form.open-by-patient', subject: found.id });
    return { row: found, timeZone: found.timeZone };
  });
  return linkToFile(ctx, row.objectKey ?? '', fileNameOf(row, timeZone));
}

type NameParts = Pick<FiledPdf, 'patientName' | 'formName' | 'completedAt'>;

/** The date, the patient and the form: the beginning of a downloaded file's name. */
export function plainName({ patientName, formName, completedAt }: NameParts, timeZone: string): string {
  return `${completedAt ? dayOf(completedAt, timeZone) : ''} ${patientName} ${formName}`;
}

/** The file's name when it is downloaded. In the store its key contains no person's name. */
export const fileNameOf = (row: NameParts, timeZone: string) => `${safeName(plainName(row, timeZone))}.pdf`;
