import type { OfficeCtx } from '#server/context.ts';
import { checkInPage } from '#server/office-row.ts';
import { readOfficeUncached } from './sql.ts';

/** The check-in poster: the URL patients open, and its QR code with the white margin scanners need. */
export async function poster(ctx: OfficeCtx): Promise<{ officeName: string; url: string; qrSvg: string }> {
  const office = await ctx.transaction((tx) => readOfficeUncached(tx, ctx.officeId));
  const url = checkInPage(office, ctx.env.publicUrl);
  const { default: QRCode } = await import('qrcode');
  const qrSvg = await QRCode.toString(url, { type: 'svg', errorCorrectionLevel: 'Q', margin: 4 });
  return { officeName: office.name, url, qrSvg };
}
