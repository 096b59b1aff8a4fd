import { useEffect } from 'react';
import type { NurseCallback } from '#contract/ambulatory/callbacks.ts';
import { createStore, useStore } from '#web/kit/store.ts';

/** A callback that came, or got another reason, while this panel was open. */
export type NewCallback = Pick<NurseCallback, 'id' | 'userCode' | 'userId' | 'newsAt'>;

/** The callbacks that nobody has taken or opened on this desk yet, oldest first. */
export const newCallbacks = createStore<readonly NewCallback[]>([]);

export const useNewCallbacks = () => useStore(newCallbacks);

/** Whoever reads a patient's page knows of their callback. */
export function useOpenedCallback(userId: string): void {
  useEffect(() => {
    newCallbacks.set(newCallbacks.get().filter((callback) => callback.userId !== userId));
  }, [userId]);
}

/**
 * The new callbacks after the first page of callbacks was read again, the newest news first: without those that somebody took or closed, with
 * those that `arrived`. News that the first page has no room for stays.
 */
export function stillNew(
  before: readonly NewCallback[],
  page: readonly Pick<NurseCallback, 'id' | 'state'>[],
  pageSize: number,
  arrived: readonly NewCallback[],
): NewCallback[] {
  const isOpen = ({ id }: NewCallback) => {
    const now = page.find((callback) => callback.id === id);
    return now ? now.state === 'open' : page.length === pageSize;
  };
  const isBefore = ({ id }: NewCallback) => before.some((callback) => callback.id === id);
  return [...before.filter(isOpen), ...arrived.filter((callback) => !isBefore(callback)).toReversed()];
}
