import { WebSocket } from 'ws';
import {
  closeCodes,
  heartbeatMessage,
  livePath,
  readyMessage,
  type HintMessage,
  type Subscription,
} from '#contract/live.ts';

/** A live connection as a program opens it, with the hints it received. It does not reconnect by itself. */
export interface LiveClient {
  socket: WebSocket;
  hints: HintMessage[];
  /** The next hint; null on a timeout. */
  nextHint(withinMs?: number): Promise<HintMessage | null>;
  /** Why the server closed the connection. */
  closed: Promise<string>;
  readonly isOpen: boolean;
  close(): void;
}

/** Connects and subscribes. Rejects with the reason if the server refuses. */
export async function openLiveClient(
  address: string,
  subscription: Subscription | object,
  headers: Record<string, string> = {},
): Promise<LiveClient> {
  const socket = new WebSocket(address.replace(/^http/, 'ws') + livePath, { headers, perMessageDeflate: false });
  const hints: HintMessage[] = [];
  const waiting = new Set<(hint: HintMessage) => void>();
  const closed = new Promise<string>((resolve) =>
    socket.on('close', (code, reason) => {
      const byCode = Object.entries(closeCodes).find(([, known]) => known === code)?.[0];
      resolve(reason.toString() || byCode || String(code));
    }),
  );
  await new Promise<void>((resolve, reject) => {
    socket.on('open', () => socket.send(JSON.stringify(subscription)));
    socket.on('error', reject);
    void closed.then((reason) => reject(new Error(reason)));
    socket.on('message', (data: Buffer) => {
      const message = JSON.parse(data.toString()) as HintMessage;
      if (message.type === heartbeatMessage) return;
      if (message.type === readyMessage) return resolve();
      hints.push(message);
      for (const resolveHint of waiting) resolveHint(message);
      waiting.clear();
    });
  });
  return {
    socket,
    hints,
    closed,
    get isOpen() {
      return socket.readyState === WebSocket.OPEN;
    },
    nextHint: (withinMs = 5_000) =>
      new Promise((resolve) => {
        const timer = setTimeout(() => resolve(null), withinMs);
        waiting.add((hint) => {
          clearTimeout(timer);
          resolve(hint);
        });
      }),
    close: () => socket.close(),
  };
}
