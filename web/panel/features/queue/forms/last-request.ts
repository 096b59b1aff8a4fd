import { allMissingForms, type VisitMessage } from '#contract/queue.ts';

/** Within this time a second press is the same request. */
const restsMs = 60_000;

/** The latest text that asked for a form, or for all that are missing. */
export const lastRequest = (messages: readonly VisitMessage[] | undefined, formType?: string) =>
  messages?.findLast(
    ({ askedForm }) => askedForm === allMissingForms || (askedForm !== null && askedForm === formType),
  );

/** Whether a request was made a moment ago, and not in vain. */
export function rests(last: VisitMessage | undefined, now: number): boolean {
  if (!last || last.state === 'failed' || last.state === 'cancelled') return false;
  return now - Date.parse(last.at) < restsMs;
}
