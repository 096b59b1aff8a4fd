import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { CallError } from '#web/kit/call.ts';
import { OfflineIcon, WarningIcon } from './icons.tsx';
import css from './trouble.module.css';

/** Why it did not work, in words, as long as it is so. Nothing when there is no trouble. */
export function Trouble({ error }: { error: unknown }) {
  const say = useTroubleWords();
  if (!error) return null;
  const isOffline = error instanceof CallError && error.status === 0;
  return (
    <p className={css.trouble} role="alert">
      {isOffline ? <OfflineIcon /> : <WarningIcon />}
      <span>{say(error)}</span>
    </p>
  );
}

/** Refusals whose words leave open when it works again. */
const saysWhen = new Set([
  'too_many_tries',
  'too_many_texts',
  'too_many_texts_to_number',
  'too_many_emails',
  'limited_texts_per_day',
]);

/** Words for a call that failed: the server's own, or ours where it said none. */
export function useTroubleWords(): (error: unknown) => string {
  const { t } = useLingui();
  return (error) => {
    if (!(error instanceof CallError)) return t`Something went wrong. Please try again.`;
    if (error.status === 0)
      return t`The server could not be reached. What you typed is still here: try again when you are connected.`;
    const said = error.title || t`The server is not available right now. Please try again in a moment.`;
    const { retryAfterSeconds: seconds } = error;
    if (!saysWhen.has(error.code) || seconds === undefined) return said;
    const minutes = Math.ceil(seconds / 60);
    const hours = Math.ceil(seconds / 3600);
    if (seconds < 90)
      return `${said} ${t`It works again in ${plural(seconds, { one: '# second', other: '# seconds' })}.`}`;
    if (minutes < 90)
      return `${said} ${t`It works again in ${plural(minutes, { one: '# minute', other: '# minutes' })}.`}`;
    return `${said} ${t`It works again in ${plural(hours, { one: '# hour', other: '# hours' })}.`}`;
  };
}
