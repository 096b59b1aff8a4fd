import { useSyncExternalStore } from 'react';

/** Values by id that are forgotten by themselves after `ms`. */
export function expiringValues<T>(ms: number) {
  const held = new Map<string, { value: T; timer: ReturnType<typeof setTimeout> }>();
  const watchers = new Set<() => void>();
  const tell = () => {
    for (const watcher of watchers) watcher();
  };
  const forget = (id: string) => {
    clearTimeout(held.get(id)?.timer);
    if (held.delete(id)) tell();
  };
  const watch = (watcher: () => void) => {
    watchers.add(watcher);
    return () => watchers.delete(watcher);
  };
  return {
    hold(id: string, value: T): void {
      clearTimeout(held.get(id)?.timer);
      held.delete(id);
      held.set(id, { value, timer: setTimeout(() => forget(id), ms) });
      tell();
    },
    forget,
    has: (id: string) => held.has(id),
    /** The value that was held last, while it is. */
    useNewest: (): T | undefined => useSyncExternalStore(watch, () => [...held.values()].at(-1)?.value),
    useHeld: (id: string): T | undefined => useSyncExternalStore(watch, () => held.get(id)?.value),
  };
}
