import { readFileSync } from 'node:fs';
import type { IncomingMessage, Server as HttpServer } from 'node:http';
import type { FastifyBaseLogger } from 'fastify';
import type { WebSocket } from 'ws';
import { closeCodes, readyMessage, type HintMessage } from '#contract/live.ts';
import type { Hint } from './hint.ts';
import { openHintListener } from './hint-listener.ts';
import { openHandshake, type HandshakeRules } from './handshake.ts';
import { closeSocket, encode, sendTo, startHeartbeats } from './socket.ts';
import { openRooms, type Rooms } from './rooms.ts';

/** Connections that count together. One too many closes the oldest of them, so that a page which connects again always gets in. */
interface ConnectionLimit {
  key: string;
  atMost: number;
}

/** Who a connection belongs to. */
export interface Listener {
  rooms: string[];
  limits: ConnectionLimit[];
  /** Called once the connection is in its rooms; returns those it has lost since the lookup, because it may have missed the hint. */
  roomsLost?: () => Promise<string[]>;
  sessionId: string | null;
}

/** How a process decides who may connect. */
export interface LiveRules extends HandshakeRules {
  /** Finds who a connection belongs to, by its cookies and its subscription; null refuses it. */
  whoIs(req: IncomingMessage, subscription: unknown): Promise<Listener | null>;
}

export interface Live {
  /** Accepts live connections on the server and listens to the database. */
  open(server: HttpServer, rules: LiveRules): Promise<void>;
  /** Called in this process for every hint that any process committed. */
  onHint(act: (hint: Hint) => void): void;
  /** True while this process receives the hints that it sends itself. */
  readonly listening: boolean;
  /** Panels and phones that are connected. */
  readonly panels: number;
  /** Closes every connection with a reason by which pages connect again, to another process or to the next one. */
  close(): Promise<void>;
}

/** The room of one person's panels at an office. */
export const personRoom = (officeId: string, personId: string) => `office:${officeId}:${personId}`;
/** The room of an office's panels, and of a visit's phones. */
export const officeRoom = (officeId: string) => `office:${officeId}`;
export const visitRoom = (visitId: string) => `visit:${visitId}`;
/** The room of a website visitor's pages, by their conversation. */
export const visitorRoom = (conversationId: string) => `visitor:${conversationId}`;
/** The room of a visit's phones with an unproved link. */
export const unprovedRoom = (visitId: string) => `visit:${visitId}:unproved`;
/** The room of all phones of an office's visits: they learn that the queue may have moved, and nothing else. */
export const officePhonesRoom = (officeId: string) => `line:${officeId}`;
const sessionRoom = (sessionId: string) => `session:${sessionId}`;

interface LiveSettings {
  /** A login to the database without a pooler in between: LISTEN belongs to a connection. */
  databaseUrl: string;
  /** Sends a hint the way all others leave this process. */
  echo: (hint: Hint) => Promise<unknown>;
  log: FastifyBaseLogger;
  manyAt?: number;
}

/**
 * NOTIFY between processes, WebSockets to the screens. After a cut it listens again and tells every screen to refetch. From `manyAt`
 * connections on it warns in the log.
 */
export function openLive({ databaseUrl, echo, log, manyAt = 0.8 * openFilesAtMost() }: LiveSettings): Live {
  const watchers: ((hint: Hint) => void)[] = [];
  const connections = openConnections(warnSeldom(log), manyAt);
  const listener = openHintListener(databaseUrl, log, {
    echo,
    onHint(hint) {
      for (const watcher of watchers) watcher(hint);
      connections.deliver(hint);
    },
    onReconnect() {
      for (const watcher of watchers) watcher({ type: 'refetch' });
      connections.refetch();
    },
  });
  let handshake: { stop(): void } | undefined;

  return {
    get listening() {
      return listener.listening;
    },
    get panels() {
      return connections.size;
    },
    onHint: (act) => void watchers.push(act),
    async open(server, rules) {
      handshake = openHandshake(server, rules, async (socket, req, subscription) =>
        connections.admit(socket, () => rules.whoIs(req, subscription)),
      );
      await listener.start();
    },
    async close() {
      handshake?.stop();
      await connections.close();
      await listener.close();
    },
  };
}

/** The connections of this process, in their rooms. */
function openConnections(warn: (connections: number, message: string) => void, manyAt: number) {
  const rooms = openRooms<WebSocket>();
  const sockets = new Set<WebSocket>();
  const heartbeats = startHeartbeats(sockets);
  /** For each lookup that is running, the hints since its start that end connections: it may have read the state before them. */
  const lookups = new Set<Hint[]>();

  const sendToRoom = (room: string, message: HintMessage) => {
    const members = rooms.membersOf(room);
    if (members.length === 0) return;
    const bytes = encode(message);
    for (const socket of members) sendTo(socket, bytes);
  };
  const remove = (socket: WebSocket) => {
    sockets.delete(socket);
    rooms.leaveAll(socket);
  };

  /** Counts the connection, and closes those that were there before it beyond a limit. */
  const makeRoomFor = (socket: WebSocket, limits: ConnectionLimit[]) => {
    if (sockets.size >= manyAt) warn(sockets.size, 'the live connections take most of the files this process may open');
    for (const { key, atMost } of limits) {
      rooms.join(socket, key);
      for (const oldest of rooms.membersOf(key).slice(0, -atMost)) {
        warn(sockets.size, 'a visit, a session or a network opened too many live connections: the oldest are closed');
        remove(oldest);
        void closeSocket(oldest, closeCodes.tryAgain, 'too_many_connections');
      }
    }
  };

  /** Ends the connections of an ended session and of a person who was removed from the office. */
  const endConnections = ({ type, session, office, removed }: Hint) => {
    const ended = [
      ...(type === 'session' && session ? rooms.membersOf(sessionRoom(session)) : []),
      ...(office && removed ? rooms.membersOf(personRoom(office, removed)) : []),
    ];
    for (const socket of ended) {
      remove(socket);
      void closeSocket(socket, closeCodes.notSignedIn, 'not_signed_in');
    }
  };

  return {
    get size() {
      return sockets.size;
    },

    async admit(socket: WebSocket, whoIs: () => Promise<Listener | null>): Promise<boolean> {
      const endings: Hint[] = [];
      lookups.add(endings);
      try {
        const listener = await whoIs();
        if (!listener) return false;
        if (socket.readyState !== socket.OPEN) return true;
        socket.once('close', () => remove(socket));
        sockets.add(socket);
        rooms.join(socket, ...listener.rooms, ...(listener.sessionId ? [sessionRoom(listener.sessionId)] : []));
        makeRoomFor(socket, listener.limits);
        for (const hint of endings) endConnections(hint);
        if (listener.roomsLost) rooms.leave(socket, ...(await listener.roomsLost()));
        sendTo(socket, encode({ type: readyMessage }));
        return true;
      } catch (error) {
        remove(socket);
        throw error;
      } finally {
        lookups.delete(endings);
      }
    },

    deliver(hint: Hint) {
      const { type, office, visit, visitor, arrived, proved, session, removed, writing } = hint;
      if (session || removed) for (const endings of lookups) endings.push(hint);
      endConnections(hint);
      if (visit && proved) keepUnprovedOut(rooms, visit);
      const message = { type, ...(visit && { visit }), ...(arrived && { arrived }), ...(writing && { writing }) };
      if (office) sendToRoom(officeRoom(office), message);
      // Only the desks hear that the patient is writing: the patient's own page would show it as the desk's.
      if (visit && writing?.person !== null) sendToRoom(visitRoom(visit), { type });
      if (visitor && writing?.person !== null) sendToRoom(visitorRoom(visitor), { type });
      if (office && type === 'checkin') sendToRoom(officePhonesRoom(office), { type: 'line' });
    },

    refetch() {
      const message = encode({ type: 'refetch' });
      for (const socket of sockets) sendTo(socket, message);
    },

    async close() {
      heartbeats.stop();
      const open = [...sockets];
      for (const socket of open) rooms.leaveAll(socket);
      await Promise.all(open.map((socket) => closeSocket(socket, closeCodes.restart, 'try_again')));
    },
  };
}

/** Logs a message at most every ten minutes: whoever opens connections must not fill the log. */
function warnSeldom(log: FastifyBaseLogger): (connections: number, message: string) => void {
  const warnedAt = new Map<string, number>();
  return (connections, message) => {
    if (performance.now() - (warnedAt.get(message) ?? -Infinity) < 600_000) return;
    warnedAt.set(message, performance.now());
    log.warn({ connections }, message);
  };
}

/** How many files and connections the system lets this process open. Only Linux tells it. */
function openFilesAtMost(): number {
  try {
    return Number(/^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1] ?? Infinity);
  } catch {
    return Infinity;
  }
}

/** From the first use of a visit's proved link, phones with an unproved one only get hints that the queue may have moved. */
function keepUnprovedOut(rooms: Rooms<WebSocket>, visitId: string): void {
  const message = encode({ type: 'line' });
  for (const socket of rooms.membersOf(unprovedRoom(visitId))) {
    sendTo(socket, message);
    rooms.leave(socket, visitRoom(visitId));
  }
}
