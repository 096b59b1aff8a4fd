import { uploadFormPhoto } from '#contract/forms/filling.ts';
import type { Attachment } from '#questionnaire/questionnaire.ts';
import { callWithProgress } from '#web/kit/upload/call-with-progress.ts';
import { retryUntilAnswered } from '#web/kit/retry-until-answered.ts';
import type { PictureKind } from '#web/questionnaire/form-context.ts';

/** The longer side of a photo that is sent: a card stays readable, and a weak network carries it. */
const longestSide = 2_200;

/** Uploads a picture, with retries, and returns it as an answer. */
export async function upload(
  token: string,
  picture: Blob,
  kind: PictureKind,
  onProgress: (part: number) => void,
  signal: AbortSignal,
): Promise<Attachment> {
  const file = kind === 'photo' ? await smaller(picture) : picture;
  const { url, contentType, size } = await retryUntilAnswered(
    () => callWithProgress(uploadFormPhoto, { params: { token }, query: { kind } }, { signal, onProgress, file }),
    signal,
  );
  return { url, contentType, size };
}

/** As a JPEG of a sensible size, upright; as it is where this phone cannot read it. */
async function smaller(picture: Blob): Promise<Blob> {
  const decoded = await createImageBitmap(picture).catch(() => null);
  if (!decoded) return picture;
  const { width, height } = decoded;
  const scale = Math.min(1, longestSide / Math.max(width, height));
  if (scale === 1 && picture.size < 1_000_000 && picture.type === 'image/jpeg') return picture;
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  canvas.getContext('2d')?.drawImage(decoded, 0, 0, canvas.width, canvas.height);
  decoded.close();
  const made = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', 0.88));
  return made ?? picture;
}
