import { useLingui } from '@lingui/react/macro';
import { CallError } from '#web/kit/call.ts';
import { errorMessage } from '#web/kit/error-messages.ts';
import { OfflineIcon } from '#web/icons/offline.tsx';
import { WarningIcon } from '#web/icons/warning.tsx';
import css from './trouble.module.css';

/** The message of an error. Renders nothing without one. */
export function ErrorText({ error }: { error: unknown }) {
  const say = useErrorMessage();
  if (!error) return null;
  const isOffline = error instanceof CallError && error.status === 0;
  return (
    <p className={css.trouble} role="alert">
      {isOffline ? <OfflineIcon /> : <WarningIcon />}
      <span>{say(error)}</span>
    </p>
  );
}

/** The message for a failed call: the server's own, or a general one. */
export function useErrorMessage(): (error: unknown) => string {
  const { t } = useLingui();
  return (error) =>
    errorMessage(
      error,
      t`The server could not be reached. What you typed is still here: try again when you are connected.`,
    );
}
