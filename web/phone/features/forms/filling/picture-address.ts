import { readFormPhoto } from '#contract/forms/filling.ts';
import type { Attachment } from '#questionnaire/questionnaire.ts';

/** Where the server shows a stored picture of this visit. */
export function pictureAddress(token: string, { url = '' }: Attachment): string {
  const fileId = url.replace('urn:uuid:', '');
  return `/api${readFormPhoto.path.replace(':token', token).replace(':fileId', fileId)}`;
}
