import { useEffect, useLayoutEffect, useReducer, useRef, useSyncExternalStore } from 'react';

/** A value outside React that components can subscribe to. */
export interface Store<T> {
  get: () => T;
  set: (next: T) => void;
  subscribe: (listener: () => void) => () => void;
}

export function createStore<T>(value: T): Store<T> {
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set(next) {
      value = next;
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** The store's value; renders again when it changes. */
export function useStore<T>({ subscribe, get }: Store<T>): T {
  const value = useSyncExternalStore(subscribe, get, get);
  useRenderUntilSubscribed(subscribe);
  return value;
}

/**
 * React subscribes to a store in a passive effect, a moment after a field is on screen. A letter typed in between would render nothing, React
 * would put the field's text before it back, and the next letter would overwrite it. So this subscribes with the first paint, until React has
 * subscribed (`long-queue.spec.ts`, 'letters typed in the moment …').
 */
function useRenderUntilSubscribed(subscribe: (listener: () => void) => () => void): void {
  const [, render] = useReducer((renders: number) => renders + 1, 0);
  const unsubscribe = useRef<() => void>(undefined);
  useLayoutEffect(() => {
    const stop = subscribe(render);
    unsubscribe.current = stop;
    return stop;
  }, [subscribe]);
  // In braces: what the unsubscribing returns is no cleanup, and React would call it.
  useEffect(() => {
    unsubscribe.current?.();
  }, [subscribe]);
}
