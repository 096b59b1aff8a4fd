import type { VisitMessage } from '#contract/queue.ts';

export interface ShownMessage {
  message: VisitMessage;
  /** Number of failed attempts in a row; 1 for every other message. */
  tries: number;
}

/** Collapses repeated failures of the same text into the last attempt. */
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
