import { readFormPhoto } from '#contract/forms/filling.ts';
import type { Attachment } from '#questionnaire/questionnaire.ts';

/** Where a kept picture is shown from. */
export function addressOfPicture(token: string, { url = '' }: Attachment): string {
  const fileId = url.replace('urn:uuid:', '');
  return `/api${readFormPhoto.path.replace(':token', token).replace(':fileId', fileId)}`;
}
