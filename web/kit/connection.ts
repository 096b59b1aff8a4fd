import { useSyncExternalStore } from 'react';
import { serverNow } from './clock.ts';

export interface Connection {
  /** True from the first call or socket that failed until the server is heard again. */
  lost: boolean;
  /** When the server was last heard, ms since 1970 by its clock. */
  heardAt: number;
}

let connection: Connection = { lost: false, heardAt: serverNow() };
const watchers = new Set<() => void>();

/** The server answered, by call or socket. */
export function noteConnected(): void {
  const wasLost = connection.lost;
  if (!wasLost) {
    connection.heardAt = serverNow();
    return;
  }
  connection = { lost: false, heardAt: serverNow() };
  for (const watcher of watchers) watcher();
}

/** The server could not be reached. */
export function noteDisconnected(): void {
  if (connection.lost) return;
  connection = { ...connection, lost: true };
  for (const watcher of watchers) watcher();
}

// The browser knows at once that the cable is out. That it is back is believed only when the server answers.
globalThis.addEventListener?.('offline', noteDisconnected);

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

const now = () => connection;

/** For the bar that says the connection is lost and how old the data is. */
export function useConnection(): Connection {
  return useSyncExternalStore(watch, now, now);
}
