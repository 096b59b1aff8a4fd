import { lateFile, useFetch } from './late-file.ts';

const file = lateFile(() => import('./queue-dialogs.tsx'));

/** Loads the dialogs' code at the first key or press, so that it is there when one opens; not while offline. */
export function useQueueDialogs() {
  useFetch(file, { isNeeded: false });
  return file.useFile();
}
