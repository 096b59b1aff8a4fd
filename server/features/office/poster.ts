import QRCode from 'qrcode';
import type { OfficeCtx } from '#server/ctx.ts';
import { officeRow } from './sql.ts';

/** What hangs at the door: the address patients open, and its QR code with the white margin scanners need. */
export async function poster(ctx: OfficeCtx): Promise<{ officeName: string; url: string; qrSvg: string }> {
  const { name, npi } = await ctx.transaction((tx) => officeRow(tx, ctx.officeId));
  const url = `${ctx.env.publicUrl}/c/${npi}`;
  const qrSvg = await QRCode.toString(url, { type: 'svg', errorCorrectionLevel: 'Q', margin: 4 });
  return { officeName: name, url, qrSvg };
}
