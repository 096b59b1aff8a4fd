import { uploadFormPhoto } from '#contract/forms/filling.ts';
import type { Attachment } from '#questionnaire/questionnaire.ts';
import { CallError } from '#web/kit/call.ts';
import { noteConnected, noteDisconnected } from '#web/kit/connection.ts';
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
  const sent = kind === 'photo' ? await smaller(picture) : picture;
  const { url, contentType, size } = await retryUntilAnswered(
    () => send(token, sent, kind, onProgress, signal),
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

interface SavedPicture {
  url: string;
  contentType: string;
  size: number;
}

// XMLHttpRequest, because only it reports the progress of an upload.
function send(
  token: string,
  picture: Blob,
  kind: PictureKind,
  onProgress: (part: number) => void,
  signal: AbortSignal,
): Promise<SavedPicture> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const stop = () => request.abort();
    const end = (settle: () => void) => {
      signal.removeEventListener('abort', stop);
      settle();
    };
    request.open('POST', `/api${uploadFormPhoto.path.replace(':token', token)}?kind=${kind}`);
    request.setRequestHeader('content-type', picture.type || 'application/octet-stream');
    request.setRequestHeader('accept-language', document.documentElement.lang);
    request.responseType = 'json';
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    request.onload = () => {
      noteConnected();
      const body = (request.response ?? {}) as SavedPicture & Record<string, unknown>;
      const isOurs = typeof body.url === 'string';
      if (request.status < 300 && isOurs) end(() => resolve(body));
      // For example the sign-in page of a guest network, which answers everything with 200.
      else if (request.status < 300) end(() => reject(new Error('an upload got an answer that is not ours')));
      else end(() => reject(new CallError(request.status, body, request.getResponseHeader('retry-after'))));
    };
    request.onerror = () => {
      noteDisconnected();
      end(() => reject(new CallError(0, { type: 'urn:anteroom:problem:offline' })));
    };
    request.onabort = () => end(() => reject(signal.reason as Error));
    signal.addEventListener('abort', stop);
    request.send(picture);
  });
}
