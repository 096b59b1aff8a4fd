import { serverNow } from './clock.ts';
import { createStore, useStore } from './store.ts';

export interface Connection {
  /** True from the first failed call or socket until the server answers again. */
  lost: boolean;
  /** When the server last answered, in ms since 1970 on its clock. */
  heardAt: number;
}

const connection = createStore<Connection>({ lost: false, heardAt: serverNow() });

/** The server answered, by call or socket. */
export function noteConnected(): void {
  const heardAt = serverNow();
  // Without rendering: every answer passes here.
  if (!connection.get().lost) connection.get().heardAt = heardAt;
  else connection.set({ lost: false, heardAt });
}

/** The server could not be reached. */
export function noteDisconnected(): void {
  if (!connection.get().lost) connection.set({ ...connection.get(), lost: true });
}

// The browser knows at once that it is offline. Being online again counts only when the server answers.
globalThis.addEventListener?.('offline', noteDisconnected);

/** For the bar that says the connection is lost and how old the data is. */
export const useConnection = (): Connection => useStore(connection);
