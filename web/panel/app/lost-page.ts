import { createStore, useStore } from '#web/kit/store.ts';

const isLost = createStore(false);

/** Remembers that the opened address does not exist, until the banner about it is closed. */
export const setPageNotFound = (lost: boolean): void => isLost.set(lost);

export const usePageNotFound = (): boolean => useStore(isLost);
