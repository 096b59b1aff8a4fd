import { useState } from 'react';
import { openVisitForm } from '#contract/forms/filling.ts';
import { call, CallError } from '#web/kit/call.ts';
import { refusalMessage } from '#web/kit/error-messages.ts';

/** Opens the patient's copy in a new tab; returns the error message of the last try. */
export function useOpenCopy(token: string) {
  const [errorMessage, setErrorMessage] = useState<string | null>(null);
  const open = async (memberId: string, formType: string) => {
    setErrorMessage(null);
    // At once: after the call a browser would take it for a window nobody asked for.
    const beside = window.open('about:blank', '_blank');
    try {
      const { url } = await call(openVisitForm, { params: { token, memberId, formType } });
      if (beside) beside.location.href = url;
      else location.assign(url);
    } catch (error) {
      beside?.close();
      if (!(error instanceof CallError)) throw error;
      setErrorMessage(refusalMessage(error));
    }
  };
  return { open, errorMessage };
}
