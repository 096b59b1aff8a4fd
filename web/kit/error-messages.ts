import { plural, t } from '@lingui/core/macro';
import { CallError } from './call.ts';

/** A failed call as a sentence: the server's words, and when to try again where it said so. `offline` where it was not reached. */
export function errorMessage(error: unknown, offline: string): string {
  if (!(error instanceof CallError)) return t`Something went wrong. Please try again.`;
  if (error.status === 0) return offline;
  return refusalMessage(error) || t`The server is not available right now. Please try again in a moment.`;
}

/** The words of a refusal, followed by the wait where a limit is reached. Empty where the server said none. */
export function refusalMessage({ status, title, retryAfterSeconds }: CallError): string {
  if (status !== 429 || title === '' || retryAfterSeconds === undefined) return title;
  return `${title} ${waitMessage(retryAfterSeconds)}`;
}

function waitMessage(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  const hours = Math.ceil(seconds / 3600);
  if (seconds < 90) return t`You can try again in ${plural(seconds, { one: '# second', other: '# seconds' })}.`;
  if (minutes < 90) return t`You can try again in ${plural(minutes, { one: '# minute', other: '# minutes' })}.`;
  return t`You can try again in ${plural(hours, { one: '# hour', other: '# hours' })}.`;
}
