import { createStore, useStore } from '#web/kit/store.ts';

const isLost = createStore(false);

/** Remembers that somebody opened an address that does not exist, until they close the banner about it. */
export const setLostPage = (lost: boolean): void => isLost.set(lost);

export const useLostPage = (): boolean => useStore(isLost);
