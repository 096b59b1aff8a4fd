import type { WebSocket } from 'ws';
import { heartbeatEveryMs, heartbeatMessage, type HintMessage, type readyMessage } from '#contract/live.ts';

/** Bytes that a slow page may leave unread beyond what the network buffers: hundreds of hints. */
const unsentAtMost = 64 * 1024;
/** A page that does not answer the closing handshake by then is cut. `ws` alone would wait 30 s. */
const closeWithinMs = 1_000;

/** A message as the bytes that every socket of a room gets. */
export const encode = (message: HintMessage | { type: typeof readyMessage | typeof heartbeatMessage }): Buffer =>
  Buffer.from(JSON.stringify(message));

/** Sends to a page, or cuts one that reads too slowly: it connects again and refetches, so the hints it missed are not needed. */
export function sendTo(socket: WebSocket, message: Buffer): void {
  if (socket.readyState !== socket.OPEN) return;
  if (socket.bufferedAmount > unsentAtMost) socket.terminate();
  else socket.send(message, { binary: false });
}

/** Closes with a reason that the page reads, and cuts it when it does not answer. Resolves once it is gone. */
export function closeSocket(socket: WebSocket, code: number, reason: string): Promise<void> {
  if (socket.readyState === socket.CLOSED) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(() => socket.terminate(), closeWithinMs);
    socket.once('close', () => {
      clearTimeout(timer);
      resolve();
    });
    socket.close(code, reason);
  });
}

/**
 * Sends a heartbeat to all sockets every 25 s, and cuts those that did not answer the ping before: WebSocket's own ping, which a browser
 * answers also while the page's timers are throttled. The message beside it is for the page, which cannot see pings.
 */
export function startHeartbeats(sockets: ReadonlySet<WebSocket>, everyMs = heartbeatEveryMs): { stop(): void } {
  const unanswered = new WeakSet<WebSocket>();
  const heartbeat = encode({ type: heartbeatMessage });
  const timer = setInterval(() => {
    for (const socket of sockets) {
      if (unanswered.has(socket)) {
        socket.terminate();
        continue;
      }
      unanswered.add(socket);
      socket.once('pong', () => unanswered.delete(socket));
      if (socket.readyState === socket.OPEN) socket.ping();
      sendTo(socket, heartbeat);
    }
  }, everyMs).unref();
  return { stop: () => clearInterval(timer) };
}
