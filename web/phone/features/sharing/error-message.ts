import { useLingui } from '@lingui/react/macro';
import type { CallError } from '#web/kit/call.ts';
import { refusalMessage } from '#web/kit/error-messages.ts';

/** The message why a call failed: the server's own, or that there is no connection. */
export function useErrorMessage(): (error: CallError) => string {
  const { t } = useLingui();
  return (error) => {
    if (error.status === 0) return t`No connection. Nothing was lost. Try again when you’re back online.`;
    return refusalMessage(error) || t`Something went wrong on our side. Please try again.`;
  };
}
