import { createContext, useContext } from 'react';
import type { Attachment } from '#questionnaire/questionnaire.ts';

export type PictureKind = 'photo' | 'signature';

/** What a form's pages need of where they stand: a patient's phone, or a preview. */
export interface FormAround {
  /** Next and Submit wait for this upload. It resolves to the reason why the picture was refused, or to null. */
  await(upload: Promise<string | null>): void;
  /** Keeps a picture and answers what the form's answer says of it; `onProgress` is told the part that is done, 0 to 1. */
  keep(picture: Blob, kind: PictureKind, onProgress: (part: number) => void, signal: AbortSignal): Promise<Attachment>;
  /** Where a kept picture is shown from. */
  addressOf(picture: Attachment): string;
  /** Another page begins. */
  toTop(): void;
}

export const FormAroundContext = createContext<FormAround | null>(null);

export function useFormAround(): FormAround {
  const around = useContext(FormAroundContext);
  if (!around) throw new Error('a question stands outside of a form');
  return around;
}
