import { createContext, useContext } from 'react';

/** What answers that are files need of the form around them. */
export interface FormAround {
  token: string;
  /** The form is not submitted before this has come. */
  await(upload: Promise<unknown>): void;
}

export const FormAroundContext = createContext<FormAround>({ token: '', await: () => undefined });
export const useFormAround = () => useContext(FormAroundContext);
