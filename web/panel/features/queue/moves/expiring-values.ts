import { createStore, useStore } from '#web/kit/store.ts';

/** Values by id, each of which is dropped after `ms`. */
export function expiringValues<T>(ms: number) {
  const values = createStore<ReadonlyMap<string, T>>(new Map());
  const timers = new Map<string, ReturnType<typeof setTimeout>>();

  const without = (id: string) => {
    clearTimeout(timers.get(id));
    const rest = new Map(values.get());
    rest.delete(id);
    return rest;
  };
  const forget = (id: string) => {
    if (values.get().has(id)) values.set(without(id));
  };
  return {
    hold(id: string, value: T): void {
      values.set(without(id).set(id, value));
      timers.set(
        id,
        setTimeout(() => forget(id), ms),
      );
    },
    forget,
    has: (id: string) => values.get().has(id),
    /** The value that was added last, until it expires. */
    useNewest: (): T | undefined => [...useStore(values).values()].at(-1),
    useHeld: (id: string): T | undefined => useStore(values).get(id),
  };
}
