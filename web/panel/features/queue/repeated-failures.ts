import type { VisitMessage } from '#contract/queue.ts';

export interface ShownMessage {
  message: VisitMessage;
  /** How many times in a row it was tried and failed; 1 for every other message. */
  tries: number;
}

/** The same text failing again and again is one entry: the last try stands for all. */
export function collapseRepeatedFailures(messages: readonly VisitMessage[]): ShownMessage[] {
  const shown: ShownMessage[] = [];
  for (const message of messages) {
    const before = shown.at(-1);
    if (before && isSameFailure(before.message, message))
      shown[shown.length - 1] = { message, tries: before.tries + 1 };
    else shown.push({ message, tries: 1 });
  }
  return shown;
}

function isSameFailure(before: VisitMessage, after: VisitMessage): boolean {
  return (
    before.state === 'failed' &&
    after.state === 'failed' &&
    before.kind === after.kind &&
    before.body === after.body &&
    before.problem === after.problem
  );
}
