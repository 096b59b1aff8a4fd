import { STATUS_CODES, type IncomingMessage, type Server as HttpServer } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import { closeCodes, livePath } from '#contract/live.ts';
import { closeSocket } from './socket.ts';

/** Who may connect. */
export interface HandshakeRules {
  allowOrigin(origin: string, host: string): boolean;
  /** The network a request comes from, past trusted proxies; and for IPv6 its /48. */
  networksOf(req: IncomingMessage): { network: string; site: string | null };
  /** The person whose session cookie the request brings. Only called when the request's network has reached its limit. */
  personOf(req: IncomingMessage): Promise<string | null>;
}

/** Decides about a page's subscription; false refuses it. If it rejects, the page tries again later. */
export type Admit = (socket: WebSocket, req: IncomingMessage, subscription: unknown) => Promise<boolean>;

/**
 * Sockets without a subscription per network, or beyond that per signed-in person. An office of a hundred desks reconnects at once after a
 * restart.
 */
const unauthenticatedAtMost = 100;
const unauthenticatedAtMostOfSite = 1_600;
const subscribeWithinMs = 10_000;
/** A subscription is two short strings. */
const messageBytesAtMost = 1_000;

/** Upgrades requests for the live connection and waits for each page's one message. Once it is stopped, pages get a 503. */
export function openHandshake(server: HttpServer, rules: HandshakeRules, admit: Admit): { stop(): void } {
  const unauthenticated = countUnauthenticated();
  const webSockets = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: messageBytesAtMost,
  });
  /** Sockets that have not subscribed yet. */
  const waiting = new Set<WebSocket>();
  let isStopped = false;

  /** Null accepts the request; otherwise the HTTP status of the refusal. */
  const refusalOf = async (req: IncomingMessage): Promise<number | null> => {
    const { origin, host = '' } = req.headers;
    if (req.url?.split('?')[0] !== livePath) return 404;
    if (isStopped) return 503;
    if (origin && !rules.allowOrigin(origin, host)) return 403;
    const { network, site } = rules.networksOf(req);
    const keys = new Map([[network, unauthenticatedAtMost]]);
    if (site !== null) keys.set(site, unauthenticatedAtMostOfSite);
    if (unauthenticated.add(req, keys)) return null;
    // Strangers on the same network must not lock out a signed-in panel.
    const person = await rules.personOf(req);
    const ofPerson = new Map([[`person ${person}`, unauthenticatedAtMost]]);
    return person !== null && unauthenticated.add(req, ofPerson) ? null : 429;
  };

  const subscribe = async (socket: WebSocket, req: IncomingMessage, message: string) => {
    const subscription = parse(message);
    if (subscription === undefined) return closeSocket(socket, closeCodes.onlyListens, 'no_subscription');
    const isAdmitted = await admit(socket, req, subscription);
    if (!isAdmitted) await closeSocket(socket, closeCodes.notSignedIn, 'not_signed_in');
  };

  const onConnection = (socket: WebSocket, req: IncomingMessage) => {
    // A closing handshake would leave a silent client another second.
    const timer = setTimeout(() => socket.terminate(), subscribeWithinMs).unref();
    waiting.add(socket);
    const onSubscribed = () => {
      clearTimeout(timer);
      waiting.delete(socket);
      unauthenticated.delete(req);
    };
    let hasSubscribed = false;
    socket.on('error', () => undefined); // 'close' follows
    socket.on('message', (data: Buffer) => {
      if (hasSubscribed) {
        if (socket.readyState === socket.OPEN) void closeSocket(socket, closeCodes.onlyListens, 'only_listens');
        return;
      }
      hasSubscribed = true;
      subscribe(socket, req, data.toString())
        .catch(() => closeSocket(socket, closeCodes.tryAgain, 'try_again'))
        .finally(onSubscribed);
    });
    socket.once('close', onSubscribed);
  };

  const upgrade = async (req: IncomingMessage, stream: Duplex, head: Buffer) => {
    const status = (await refusalOf(req)) ?? (isStopped ? 503 : null);
    if (status !== null) refuse(stream, status);
    else webSockets.handleUpgrade(req, stream, head, (socket) => onConnection(socket, req));
  };
  server.on('upgrade', (req: IncomingMessage, stream: Duplex, head: Buffer) => {
    stream.on('error', () => undefined);
    upgrade(req, stream, head).catch(() => refuse(stream, 503));
  });
  return {
    stop() {
      isStopped = true;
      for (const socket of waiting) socket.terminate();
    },
  };
}

function refuse(stream: Duplex, status: number): void {
  stream.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`, () =>
    stream.destroy(),
  );
}

function parse(message: string): unknown {
  try {
    const parsed: unknown = JSON.parse(message);
    return typeof parsed === 'object' && parsed !== null ? parsed : undefined;
  } catch {
    return undefined;
  }
}

/** Counts unauthenticated sockets by network or person. `add` is false when a key has too many; a closed socket no longer counts. */
function countUnauthenticated() {
  const counts = new Map<string, number>();
  const keysOf = new WeakMap<IncomingMessage, string[]>();
  const remove = (req: IncomingMessage) => {
    const keys = keysOf.get(req) ?? [];
    keysOf.delete(req);
    for (const key of keys) {
      const left = (counts.get(key) ?? 0) - 1;
      if (left > 0) counts.set(key, left);
      else counts.delete(key);
    }
  };
  return {
    add(req: IncomingMessage, mostByKey: ReadonlyMap<string, number>): boolean {
      const keys = [...mostByKey.keys()];
      if (keys.some((key) => (counts.get(key) ?? 0) >= (mostByKey.get(key) ?? 0))) return false;
      for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
      keysOf.set(req, keys);
      req.socket.once('close', () => remove(req));
      return true;
    },
    delete: remove,
  };
}
