import { uploadEpisodePhoto } from '#contract/ambulatory/episode.ts';
import type { Attachment } from '#questionnaire/questionnaire.ts';
import { retryUntilAnswered } from '#web/kit/retry-until-answered.ts';
import { callWithProgress } from '#web/kit/upload/call-with-progress.ts';
import { smallerPhoto } from '#web/kit/upload/smaller-photo.ts';
import type { PictureKind } from '#web/questionnaire/form-context.ts';

/** Uploads a picture of a survey, with retries, and returns it as an answer. */
export async function uploadPhoto(
  token: string,
  picture: Blob,
  kind: PictureKind,
  onProgress: (part: number) => void,
  signal: AbortSignal,
): Promise<Attachment> {
  const file = kind === 'photo' ? await smallerPhoto(picture) : picture;
  const { url, contentType, size } = await retryUntilAnswered(
    () => callWithProgress(uploadEpisodePhoto, { params: { token }, query: { kind } }, { signal, onProgress, file }),
    signal,
  );
  return { url, contentType, size };
}
