import { createContext, useContext } from 'react';
import type { Attachment } from '#questionnaire/questionnaire.ts';

export type PictureKind = 'photo' | 'signature';

/** What a form's pages need from the app around them: the phone, or the panel's preview. */
export interface FormEnvironment {
  /** Makes Next and Submit wait for an upload. It resolves to the message why the picture was refused, or to null. */
  trackUpload(upload: Promise<string | null>): void;
  /** Stores a picture and returns its attachment; `onProgress` gets the part that is done, 0 to 1. */
  storePicture(
    picture: Blob,
    kind: PictureKind,
    onProgress: (part: number) => void,
    signal: AbortSignal,
  ): Promise<Attachment>;
  pictureUrl(picture: Attachment): string;
  scrollToTop(): void;
}

export const FormEnvironmentContext = createContext<FormEnvironment | null>(null);

export function useFormEnvironment(): FormEnvironment {
  const environment = useContext(FormEnvironmentContext);
  if (!environment) throw new Error('a question is rendered outside of a form');
  return environment;
}
