import { useLingui } from '@lingui/react/macro';
import { CallError } from '#web/kit/call.ts';
import { errorMessage } from '#web/kit/error-messages.ts';
import { OfflineIcon } from '#web/icons/offline.tsx';
import { WarningIcon } from '#web/icons/warning.tsx';
import css from './trouble.module.css';

/** Why it did not work, in words, as long as it is so. Nothing when there is no trouble. */
export function Trouble({ error }: { error: unknown }) {
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

/** Words for a call that failed: the server's own, or ours where it said none. */
export function useErrorMessage(): (error: unknown) => string {
  const { t } = useLingui();
  return (error) =>
    errorMessage(
      error,
      t`The server could not be reached. What you typed is still here: try again when you are connected.`,
    );
}
