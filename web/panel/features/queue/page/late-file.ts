import { useEffect } from 'react';
import { createStore, useStore } from '#web/kit/store.ts';

/** A file of code that the first paint of the queue does not need. */
export interface LateFile<T> {
  /** Fetches it, unless it is there or on its way. */
  fetch: () => void;
  /** Null until it is there. */
  useFile: () => T | null;
  /** The last attempt failed, or there was no network for one. */
  useHasFailed: () => boolean;
}

/** Names a file to fetch later. Once it is there, it stays for every component that uses it. */
export function lateFile<T>(load: () => Promise<T>): LateFile<T> {
  const file = createStore<T | null>(null);
  const hasFailed = createStore(false);
  let isOnItsWay = false;
  return {
    fetch() {
      if (file.get() || isOnItsWay) return;
      if (!navigator.onLine) return hasFailed.set(true);
      isOnItsWay = true;
      hasFailed.set(false);
      void load()
        .then(
          (fetched) => file.set(fetched),
          () => hasFailed.set(true),
        )
        .finally(() => (isOnItsWay = false));
    },
    useFile: () => useStore(file),
    useHasFailed: () => useStore(hasFailed),
  };
}

const firstInputs = ['keydown', 'pointerdown'] as const;
const idleMs = 5_000;

/** When a file is fetched: at once if needed, otherwise at the first key or press, and with `soon` after five seconds without any. */
export function useFetch(file: LateFile<unknown>, { isNeeded, soon = false }: { isNeeded: boolean; soon?: boolean }) {
  useEffect(() => {
    const moments = [...firstInputs, 'online'] as const;
    for (const moment of moments) window.addEventListener(moment, file.fetch, { capture: true });
    const timer = soon ? setTimeout(() => navigator.onLine && file.fetch(), idleMs) : undefined;
    return () => {
      for (const moment of moments) window.removeEventListener(moment, file.fetch, { capture: true });
      clearTimeout(timer);
    };
  }, [file, soon]);
  useFetchWhenNeeded(file, isNeeded);
}

/** Fetches a file as soon as it is needed, and again when the network is back. */
export function useFetchWhenNeeded(file: LateFile<unknown>, isNeeded: boolean) {
  useEffect(() => {
    if (!isNeeded) return;
    file.fetch();
    window.addEventListener('online', file.fetch);
    return () => window.removeEventListener('online', file.fetch);
  }, [file, isNeeded]);
}
