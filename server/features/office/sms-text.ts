import type { OfficeCtx } from '#server/context.ts';
import { writeAuditEntry } from '#server/kit/audit.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { sendHint } from '#server/kit/db/statements.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { isProductSmsText, productSmsText, type OfficeRow } from '#server/office-row.ts';
import { isOwnOfficeName } from '#server/own-office-name.ts';
import { lockOfficeForChange, setSmsText } from './sql.ts';

/** Saves the office's default message. The standard message, and an empty one, restore the standard message. */
export async function saveSmsText(
  ctx: OfficeCtx,
  { officeId, text }: { officeId: string; text: string },
): Promise<{ text: string }> {
  return ctx.transaction(async (tx) => {
    if (!(await isOwnOfficeName(tx, ctx, officeId))) throw new Refusal('office_not_found');
    const saved = await changeSmsText(tx, ctx, await lockOfficeForChange(tx, ctx.officeId), text);
    await writeAuditEntry(tx, ctx, { action: 'settings.change', subject: 'sms', details: { changed: 'smsText' } });
    await sendHint(tx, { office: ctx.officeId, type: 'settings' });
    return { text: saved };
  });
}

/** Stores the default message and returns the one that is used now. A practice that is not confirmed keeps a standard one. */
export async function changeSmsText(tx: Tx, ctx: OfficeCtx, office: OfficeRow, text: string): Promise<string> {
  const standard = productSmsText(office, ctx.env.publicUrl);
  const trimmed = text.trim();
  const isStandard = trimmed === '' || trimmed === standard;
  const isOwn = !isStandard && !isProductSmsText(office, ctx.env.publicUrl, trimmed);
  if (isOwn && office.confirmedAt === null) throw new Refusal('limited_own_words');
  await setSmsText(tx, ctx.officeId, isStandard ? null : trimmed);
  return isStandard ? standard : trimmed;
}
