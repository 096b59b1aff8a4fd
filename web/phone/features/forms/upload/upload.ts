import { uploadFormPhoto } from '#contract/forms/filling.ts';
import type { Attachment } from '#questionnaire/questionnaire.ts';
import { callWithProgress } from '#web/kit/upload/call-with-progress.ts';
import { smallerPhoto } from '#web/kit/upload/smaller-photo.ts';
import { retryUntilAnswered } from '#web/kit/retry-until-answered.ts';
import type { PictureKind } from '#web/questionnaire/form-context.ts';

/** Uploads a picture, with retries, and returns it as an answer. */
export async function upload(
  token: string,
  picture: Blob,
  kind: PictureKind,
  onProgress: (part: number) => void,
  signal: AbortSignal,
): Promise<Attachment> {
  const file = kind === 'photo' ? await smallerPhoto(picture) : picture;
  const { url, contentType, size } = await retryUntilAnswered(
    () => callWithProgress(uploadFormPhoto, { params: { token }, query: { kind } }, { signal, onProgress, file }),
    signal,
  );
  return { url, contentType, size };
}
