import { useEffect, useEffectEvent } from 'react';
import type { HintMessage, Subscription } from '#contract/live.ts';
import { noteConnected } from './connection.ts';
import { openConnection } from './live-connection.ts';
import { createStore } from './store.ts';

/**
 * Something changed: fetch again. Besides the server's hints there is `refetch` (the connection was lost or is back, so anything may have
 * changed) and `opened` (the first connection; fast-changing data may have changed meanwhile).
 */
export type Hint = HintMessage;

const listeners = new Set<(hint: Hint) => void>();

/** Whether the connection is open, so that hints arrive. Without it, a screen polls. */
export const hintsArrive = createStore(false);

/** Receives an office's hints until the returned function is called. */
export const joinOffice = (idOrNpi: string) => join({ office: idOrNpi });

/** Receives a visit's hints until the returned function is called. */
export const joinVisit = (token: string) => join({ visit: token });

/** Calls back on each hint until the returned function is called. */
export function onHint(listener: (hint: Hint) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Calls back on each hint while the component is on screen. */
export function useHints(listener: (hint: Hint) => void): void {
  const onEachHint = useEffectEvent(listener);
  useEffect(() => onHint((hint) => onEachHint(hint)), []);
}

function publish(hint: Hint): void {
  for (const listener of listeners) listener(hint);
}

function join(subscription: Subscription): () => void {
  let wasOpen = false;
  const end = openConnection(subscription, {
    onOpen() {
      hintsArrive.set(true);
      publish({ type: wasOpen ? 'refetch' : 'opened' });
      wasOpen = true;
    },
    onHint: publish,
    onAlive: noteConnected,
    onLost() {
      hintsArrive.set(false);
      publish({ type: 'refetch' });
    },
  });
  return () => {
    end();
    hintsArrive.set(false);
  };
}
