import { pictureLinkHours } from '#contract/conversations/messages.ts';
import type { Language } from '#contract/shapes.ts';
import type { OfficeCtx } from '#server/context.ts';
import { fileLinkStatement } from '#server/features/files/index.ts';
import { linkPlaceholder } from '#server/features/texting/index.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { officeRow } from '#server/office-row.ts';
import { pictureText } from './picture-text.ts';
import { pictureName, type StoredPicture } from './pictures.ts';

/** The link to a picture in a text. Its hours count from when the text goes out. */
export const newPictureLink = (tx: Tx, ctx: OfficeCtx, { objectKey }: StoredPicture, sendAt: Date) =>
  fileLinkStatement(tx, ctx, { objectKey, fileName: pictureName, expiresAt: pictureLinkEnd(sendAt) });

/** When the link of a picture ends whose text goes out then. */
export const pictureLinkEnd = (sendAt: Date) => new Date(sendAt.getTime() + pictureLinkHours * 3_600_000);

/** The body of a picture's text, with a placeholder for its link. */
export async function withPictureLink(tx: Tx, ctx: OfficeCtx, language: Language, body: string): Promise<string> {
  const office = await officeRow(tx, ctx.officeId);
  const sentence = pictureText[language](office.name, linkPlaceholder);
  return body === '' ? sentence : `${body}\n${sentence}`;
}
