import { serverNow } from './clock.ts';
import { createStore, useStore } from './store.ts';

export interface Connection {
  /** True from the first call or socket that failed until the server is heard again. */
  lost: boolean;
  /** When the server was last heard, ms since 1970 by its clock. */
  heardAt: number;
}

const connection = createStore<Connection>({ lost: false, heardAt: serverNow() });

/** The server answered, by call or socket. */
export function noteConnected(): void {
  const heardAt = serverNow();
  // Without rendering again: every answer comes through here.
  if (!connection.get().lost) connection.get().heardAt = heardAt;
  else connection.set({ lost: false, heardAt });
}

/** The server could not be reached. */
export function noteDisconnected(): void {
  if (!connection.get().lost) connection.set({ ...connection.get(), lost: true });
}

// The browser knows at once that the cable is out. That it is back is believed only when the server answers.
globalThis.addEventListener?.('offline', noteDisconnected);

/** For the bar that says the connection is lost and how old the data is. */
export const useConnection = (): Connection => useStore(connection);
