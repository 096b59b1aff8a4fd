import type { IncomingMessage, Server as HttpServer } from 'node:http';
import type { FastifyBaseLogger } from 'fastify';
import { ExpressionWrapper, sql, type OperationNodeSource } from 'kysely';
import pg from 'pg';
import { Server, type Socket } from 'socket.io';
import { acceptConnection } from './app-login.ts';
import type { Tx } from './db.ts';

/** A hint that something changed: ids only, no patient data. Screens refetch. */
export interface Hint {
  /** The office whose open panels should look again. */
  office?: string;
  /** The visit whose phones should look again. */
  visit?: string;
  /** What kind of thing changed: `checkin` (the queue), `message`, `settings`, `text` (jobs), `session` … */
  type: string;
  /** Somebody said "I'm here": a locked panel rings, and knows no more than that. */
  arrived?: true;
  /** A proved link of the visit was used: phones with an unproved one hear of the line only. */
  proved?: true;
  /** The person who was taken off the office: their sockets there end. */
  removed?: string;
  /** The session that ended, for `type: 'session'`. */
  session?: string;
}

/** Who a socket is, found at its handshake; null refuses it. */
export interface Listener {
  rooms: string[];
  /** Asked once the socket is in its rooms: those it has lost since the look-up, whose hint it may have missed. */
  roomsLost?: () => Promise<string[]>;
  sessionId: string | null;
}

/** How a process decides who may connect. */
export interface SocketRules {
  whoIs(socket: Socket): Promise<Listener | null>;
  allowOrigin(origin: string, host: string): boolean;
  /** Whose session's cookie the request brings. Asked only when its network has too many sockets that have not said who they are. */
  personOf(req: IncomingMessage): Promise<string | null>;
  /** The network a request comes from, past trusted proxies. */
  networkOf(req: IncomingMessage): string;
}

export interface Live {
  /** Starts Socket.IO on the server and listens to the database. */
  open(server: HttpServer, rules: SocketRules): Promise<void>;
  /** Called in this process for every hint that any process committed. */
  onHint(act: (hint: Hint) => void): void;
  /** True while this process hears the database's notifications. */
  readonly listening: boolean;
  readonly panels: number;
  close(): Promise<void>;
}

const channel = 'anteroom';

/** Sockets of one network (or, when it has that many, of one signed-in person in it) that have not said yet who they are. An office of a hundred desks reconnects at once after a restart. */
const unauthenticatedAtMost = 100;
/** A socket that has not signed in by then is cut. A close frame would leave a silent one open for another 30 s. */
const signInWithinMs = 10_000;

/** Tells every process, and through it the open screens. Leaves with the commit, or not at all. */
export function tell(tx: Tx, hint: Hint): Promise<void> {
  return write(tx, { writes: [], hints: [hint] });
}

/** Rows to write and what to tell of them: not yet done, so that it can be done together with others. */
export interface Change {
  writes: OperationNodeSource[];
  hints: Hint[];
}

/** Makes changes that do not read each other and tells of them, as one statement: one round trip, one plan. */
export async function write(tx: Tx, ...changes: Change[]): Promise<void> {
  const writes = changes.flatMap((change) => change.writes);
  const told = changes.flatMap(({ hints }) => hints).map((hint) => sql`pg_notify(${channel}, ${JSON.stringify(hint)})`);
  const steps = writes.map((step, i) => sql`${sql.ref(`w${i}`)} as (${new ExpressionWrapper(step.toOperationNode())})`);
  const rows = steps.length > 0 ? sql`with ${sql.join(steps)} ` : sql``;
  await sql`${rows}select ${told.length > 0 ? sql.join(told) : sql`1`}`.execute(tx);
}

/** The room of one person's panels at an office. */
export const personRoom = (officeId: string, personId: string) => `office:${officeId}:${personId}`;
/** The room of an office's panels, and of a visit's phones. */
export const officeRoom = (officeId: string) => `office:${officeId}`;
export const visitRoom = (visitId: string) => `visit:${visitId}`;
/** Those of a visit's phones whose link is unproved. */
export const unprovedRoom = (visitId: string) => `visit:${visitId}:unproved`;
/** The room of all phones of an office's visits: they hear that the line may have moved, and nothing else. */
export const lineRoom = (officeId: string) => `line:${officeId}`;

/** NOTIFY between processes, Socket.IO to the screens. After a cut it listens again and tells every screen to refetch. */
export function openLive(databaseUrl: string, log: FastifyBaseLogger): Live {
  let io: Server | undefined;
  let client: pg.Client | undefined;
  let retry: NodeJS.Timeout | undefined;
  let closed = false;
  let heardBefore = false;
  const acts: ((hint: Hint) => void)[] = [];

  const hear = (hint: Hint) => {
    for (const act of acts) act(hint);
    if (!io) return;
    if (hint.type === 'session' && hint.session) io.in(`session:${hint.session}`).disconnectSockets(true);
    if (hint.office && hint.removed) io.in(personRoom(hint.office, hint.removed)).disconnectSockets(true);
    if (hint.visit && hint.proved) {
      io.to(unprovedRoom(hint.visit)).emit('updates', { type: 'line' });
      io.in(unprovedRoom(hint.visit)).socketsLeave(visitRoom(hint.visit));
    }
    const { type, visit, arrived } = hint;
    const message = { type, ...(visit && { visit }), ...(arrived && { arrived }) };
    if (hint.office) io.to(officeRoom(hint.office)).emit('updates', message);
    if (hint.visit) io.to(visitRoom(hint.visit)).emit('updates', { type: hint.type });
    if (hint.office && hint.type === 'checkin') io.to(lineRoom(hint.office)).emit('updates', { type: 'line' });
  };

  const listen = async () => {
    if (closed) return;
    const mine = new pg.Client({
      connectionString: databaseUrl,
      application_name: 'anteroom-live',
      connectionTimeoutMillis: 5_000,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
    });
    let gone = false;
    const lost = () => {
      if (gone) return; // a cut connection can emit twice
      gone = true;
      client = undefined;
      mine.end().catch(() => undefined);
      if (!closed) retry = setTimeout(() => void listen(), 250);
    };
    mine.on('error', lost);
    mine.on('end', lost);
    mine.on('notification', ({ payload }) => {
      if (payload) hear(JSON.parse(payload) as Hint);
    });
    try {
      await mine.connect();
      await acceptConnection(mine);
      await mine.query(`listen ${channel}`);
      if (gone) return;
      client = mine;
      if (heardBefore) {
        for (const act of acts) act({ type: 'refetch' });
        io?.emit('updates', { type: 'refetch' });
      }
      heardBefore = true;
    } catch (error) {
      log.warn({ code: (error as { code?: string }).code }, 'not hearing the database; trying again');
      lost();
    }
  };

  return {
    get listening() {
      return client !== undefined;
    },
    get panels() {
      return io?.engine.clientsCount ?? 0;
    },
    onHint: (act) => void acts.push(act),
    async open(server, { whoIs, allowOrigin, personOf, networkOf }) {
      const unauthenticated = unauthenticatedSockets();
      io = new Server(server, {
        transports: ['websocket'],
        serveClient: false,
        maxHttpBufferSize: 10_000,
        allowRequest: (req, answer) => {
          const { origin, host = '' } = req.headers;
          if (origin && !allowOrigin(origin, host)) return answer(null, false);
          if (unauthenticated.add(req, networkOf(req))) return answer(null, true);
          // A stranger in the waiting room's network must not shut out the desk, which shares it.
          personOf(req).then(
            (person) => answer(null, person !== null && unauthenticated.add(req, `person ${person}`)),
            () => answer(null, false),
          );
        },
      });
      const admit = async (socket: Socket): Promise<'not_signed_in' | null> => {
        const listener = await whoIs(socket);
        if (!listener) return 'not_signed_in';
        unauthenticated.delete(socket.request);
        await socket.join(listener.rooms);
        for (const room of (await listener.roomsLost?.()) ?? []) await socket.leave(room);
        if (listener.sessionId) await socket.join(`session:${listener.sessionId}`);
        return null;
      };
      io.use((socket, next) => {
        // Every failure ends here: an unhandled rejection would end the process.
        admit(socket).then(
          (refusal) => next(refusal === null ? undefined : new Error(refusal)),
          () => next(new Error('try_again')),
        );
      });
      await listen();
    },
    async close() {
      closed = true;
      clearTimeout(retry);
      await io?.close().catch(() => undefined);
      await client?.end().catch(() => undefined);
    },
  };
}

/** Sockets that have not signed in, by network or person. `add` is false when there are too many; a closed one no longer counts. */
function unauthenticatedSockets() {
  const counts = new Map<string, number>();
  const waiting = new WeakMap<IncomingMessage, { key: string; timer: NodeJS.Timeout }>();
  const remove = (req: IncomingMessage) => {
    const found = waiting.get(req);
    if (!found) return;
    const { key, timer } = found;
    waiting.delete(req);
    clearTimeout(timer);
    const left = (counts.get(key) ?? 0) - 1;
    if (left > 0) counts.set(key, left);
    else counts.delete(key);
  };
  return {
    add(req: IncomingMessage, key: string): boolean {
      const count = counts.get(key) ?? 0;
      if (count >= unauthenticatedAtMost) return false;
      counts.set(key, count + 1);
      const timer = setTimeout(() => req.socket.destroy(), signInWithinMs).unref();
      waiting.set(req, { key, timer });
      req.socket.once('close', () => remove(req));
      return true;
    },
    delete: remove,
  };
}
