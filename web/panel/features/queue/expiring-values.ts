import { createStore, useStore } from '#web/kit/store.ts';

/** Values by id, each of which is dropped after `ms`. */
export function expiringValues<T>(ms: number) {
  const held = createStore<ReadonlyMap<string, T>>(new Map());
  const timers = new Map<string, ReturnType<typeof setTimeout>>();

  const without = (id: string) => {
    clearTimeout(timers.get(id));
    const rest = new Map(held.get());
    rest.delete(id);
    return rest;
  };
  const forget = (id: string) => {
    if (held.get().has(id)) held.set(without(id));
  };
  return {
    hold(id: string, value: T): void {
      held.set(without(id).set(id, value));
      timers.set(
        id,
        setTimeout(() => forget(id), ms),
      );
    },
    forget,
    has: (id: string) => held.get().has(id),
    /** The value that was added last, until it expires. */
    useNewest: (): T | undefined => [...useStore(held).values()].at(-1),
    useHeld: (id: string): T | undefined => useStore(held).get(id),
  };
}
