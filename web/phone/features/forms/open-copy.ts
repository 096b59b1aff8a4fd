import { useState } from 'react';
import { openVisitForm } from '#contract/forms/filling.ts';
import { call, CallError } from '#web/kit/call.ts';
import { openInTab } from '#web/kit/open-in-tab.ts';
import { refusalMessage } from '#web/kit/error-messages.ts';

/** Opens the patient's copy in a new tab; returns the error message of the last try. */
export function useOpenPdfCopy(token: string) {
  const [errorMessage, setErrorMessage] = useState<string | null>(null);
  const open = async (memberId: string, formType: string) => {
    setErrorMessage(null);
    try {
      await openInTab(async () => (await call(openVisitForm, { params: { token, memberId, formType } })).url);
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      setErrorMessage(refusalMessage(error));
    }
  };
  return { open, errorMessage };
}
