import { CallError } from '#web/kit/call.ts';

/** What went wrong, in the server's words; without an answer, in ours. */
export const wordsOf = (error: Error, offline: string) =>
  error instanceof CallError && error.status > 0 && error.message ? error.message : offline;
