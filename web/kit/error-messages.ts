import { plural, t } from '@lingui/core/macro';
import { CallError } from './call.ts';

/** A failed call as a sentence: the server's text, and when to retry if it said so. `offline` if it was unreachable. */
export function errorMessage(error: unknown, offline: string): string {
  if (!(error instanceof CallError)) return t`Something went wrong. Please try again.`;
  if (error.status === 0) return offline;
  return refusalMessage(error) || t`The server is not available right now. Please try again in a moment.`;
}

/** A refusal's text, followed by the wait if a limit was reached. Empty if the server sent no text. */
export function refusalMessage({ status, title, retryAfterSeconds }: CallError): string {
  if (status !== 429 || title === '' || retryAfterSeconds === undefined) return title;
  return `${title} ${waitMessage(retryAfterSeconds)}`;
}

/** The page knows the server's clock to a few seconds only; an hour must not become 61 minutes. */
const clockErrorSeconds = 5;

/** When a retry is possible. */
export function waitMessage(seconds: number): string {
  const minutes = Math.ceil((seconds - clockErrorSeconds) / 60);
  const hours = Math.ceil((seconds - clockErrorSeconds) / 3600);
  if (seconds < 90) return t`You can try again in ${plural(seconds, { one: '# second', other: '# seconds' })}.`;
  if (minutes < 90) return t`You can try again in ${plural(minutes, { one: '# minute', other: '# minutes' })}.`;
  return t`You can try again in ${plural(hours, { one: '# hour', other: '# hours' })}.`;
}
