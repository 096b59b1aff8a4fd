import { hash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { onRequestAsyncHookHandler } from 'fastify';
import type { RefusalCode } from '#contract/refusals.ts';
import { isIssuedToken } from '#server/kit/crypto/session-token.ts';
import { networkOfAddress, siteOfNetwork } from './client-network.ts';
import { Refusal } from './refusal.ts';

interface Pace {
  perSecond: number;
  /** The requests a key may send at once before it has to wait. */
  burst: number;
  /** A request that would have to wait longer is refused. */
  longestWaitMs: number;
}

const mostKeys = 10_000;

/** The networks of one /48 together may send this many times what one of them may. */
const networksPerSite = 16;

/** A short string of its own: tokens are as long as a stranger makes them, and a part of a header keeps all headers in memory. */
const shortKey = (key: string) => hash('sha256', key, 'base64url');

/**
 * Counts by key in this process's memory, so a refusal costs no database round trip. The `limits` count per hour, and an hour's worth sent
 * within seconds would still delay everybody else.
 */
function openPace({ perSecond, burst, longestWaitMs }: Pace) {
  const burstMs = (burst / perSecond) * 1000;
  /** By key: when everything it sent so far will have been processed at its pace. */
  const workedOffAt = new Map<string, number>();
  return {
    longestWaitMs,
    /** Milliseconds that this key's next request has to wait. */
    waitMs: (key: string) => Math.max(0, (workedOffAt.get(shortKey(key)) ?? 0) - burstMs - performance.now()),
    add(longKey: string, cost: number): void {
      const now = performance.now();
      const key = shortKey(longKey);
      const at = Math.max(workedOffAt.get(key) ?? 0, now) + (cost / perSecond) * 1000;
      workedOffAt.delete(key);
      workedOffAt.set(key, at);
      for (const [oldest, oldestAt] of workedOffAt) {
        if (oldestAt > now && workedOffAt.size <= mostKeys) break;
        workedOffAt.delete(oldest);
      }
    },
  };
}
type OpenPace = ReturnType<typeof openPace>;
/** A pace, and whose requests it counts. */
type Turn = readonly [OpenPace, key: string];

/** The paces of networks: of each one, and for IPv6 a wider one of its /48. */
function openNetworkPace(pace: Pace): (address: string) => Turn[] {
  const networks = openPace(pace);
  const { perSecond, burst } = pace;
  const sites = openPace({ ...pace, perSecond: perSecond * networksPerSite, burst: burst * networksPerSite });
  return (address) => {
    const network = networkOfAddress(address);
    const site = siteOfNetwork(network);
    const turns: Turn[] = [[networks, network]];
    if (site !== null) turns.push([sites, site]);
    return turns;
  };
}

/**
 * Resolves when it is this request's turn at every pace. Of eight connections that retry at once, each waits a little. A request that would
 * wait too long is refused with `Retry-After` and counts nothing.
 */
async function waitForTurn(paces: readonly Turn[], cost: number, refusal: RefusalCode): Promise<void> {
  const waits = paces.map(([pace, key]) => ({ waitMs: pace.waitMs(key), longestWaitMs: pace.longestWaitMs }));
  const waitMs = Math.max(...waits.map((wait) => wait.waitMs));
  if (waits.some((wait) => wait.waitMs > wait.longestWaitMs))
    throw new Refusal(refusal, undefined, Math.ceil(waitMs / 1000));
  for (const [pace, key] of paces) pace.add(key, cost);
  if (waitMs > 0) await sleep(waitMs);
}

export interface BytePace {
  bytesPerSecond: number;
  burstBytes: number;
  /** What a small request counts as: parsing and writing it costs more than its bytes. */
  leastBytes: number;
  /** A request without a length counts as this. */
  mostBytes: number;
}

/** Spreads a network's requests over time, by size, before their bodies are read. */
export function paceByBytes({
  bytesPerSecond,
  burstBytes,
  leastBytes,
  mostBytes,
}: BytePace): onRequestAsyncHookHandler {
  const networks = openNetworkPace({ perSecond: bytesPerSecond, burst: burstBytes, longestWaitMs: 10_000 });
  return async (req) => {
    const length = Number(req.headers['content-length'] ?? mostBytes);
    const cost = Math.min(Math.max(length || 0, leastBytes), mostBytes);
    await waitForTurn(networks(req.ip), cost, 'overloaded');
  };
}

const longestVisitorWaitMs = 5_000;
/**
 * 200 phones behind one NAT that poll every 7 s send 29 requests a second. When the queue moves, or a server has restarted, they all poll
 * at once: then the last one waits 2.3 s.
 */
const ofNetwork = { perSecond: 60, burst: 60, longestWaitMs: longestVisitorWaitMs };
/** A phone polls every 15 s and when the queue moves. Opening the page and its forms takes a dozen requests at once. */
const ofToken = { perSecond: 4, burst: 30, longestWaitMs: longestVisitorWaitMs };

/** The default limit of a JSON body. The longest real one is about 40 kB. */
export const longestJsonBytes = 64_000;

/** In bytes: four of the longest bodies a second, or 2,500 small ones. */
const ofBodies = { perSecond: 250_000, burst: 500_000, longestWaitMs: 10_000 };
const leastBodyBytes = 100;

/**
 * Session tokens that nobody has: each costs a database round trip. Made-up ones count per network. One that we issued counts for itself
 * after its session ended, so that strangers of a network cannot keep out the panels there, whichever server process they come to.
 */
const ofUnknownSessions = { perSecond: 10, burst: 100, longestWaitMs: longestVisitorWaitMs };

/** How long after a lookup found a token valid its network's pace does not apply to it. */
const knownForMs = 60_000;
/** As long as a session's token lives: a hidden panel asks for nothing but a new token. */
const knownSessionForMs = 3_600_000;

export interface VisitorPace {
  /** Waits for a turn, or throws `too_many_tries`. */
  wait(address: string, token: string | undefined): Promise<void>;
  /** Waits for the turn of a body that anybody may send, or throws `overloaded`. */
  waitForBody(address: string, bytes: number): Promise<void>;
  /** Call it when a lookup found the visit of this token. */
  noteValid(token: string): void;
  /**
   * Waits before the lookup of a session's token, or throws `too_many_tries`: only if the token is not known to be valid, and its network
   * sent many made-up ones, or many requests came with this one after its session ended.
   */
  waitForSession(address: string, token: string): Promise<void>;
  /** Call it when a lookup found the session of this token, and when a session gets a new one. */
  noteSession(token: string): void;
  /** Call it when a lookup found no session. Only this counts, so that 100 desks that reconnect at once do not hold each other up. */
  noteUnknownSession(address: string, token: string): void;
}

/** Tokens that were valid a moment ago. */
function openKnownTokens(forMs: number) {
  const knownUntil = new Map<string, number>();
  return {
    has: (token: string) => (knownUntil.get(shortKey(token)) ?? 0) > performance.now(),
    add(longToken: string): void {
      const now = performance.now();
      const token = shortKey(longToken);
      knownUntil.delete(token);
      knownUntil.set(token, now + forMs);
      for (const [oldest, until] of knownUntil) {
        if (until > now) break;
        knownUntil.delete(oldest);
      }
    },
    remove: (token: string) => void knownUntil.delete(shortKey(token)),
  };
}

/**
 * Paces requests of people who are not signed in, by network and by the token of their link or session. If we issued the session's token, or
 * a lookup found the link valid within the last minute, only the token's pace applies: anybody in the clinic's Wi-Fi can use up the
 * network's pace, and the phones and panels that are already open there must still get through.
 */
export function openVisitorPace({ sessionSecret, now }: { sessionSecret: string; now: () => Date }): VisitorPace {
  const networks = openNetworkPace(ofNetwork);
  const tokens = openPace(ofToken);
  const bodies = openNetworkPace(ofBodies);
  const madeUpSessions = openNetworkPace(ofUnknownSessions);
  const endedSessions = openPace(ofUnknownSessions);
  const visits = openKnownTokens(knownForMs);
  const sessions = openKnownTokens(knownSessionForMs);
  const isIssued = (token: string) => isIssuedToken(sessionSecret, token, now());
  const unknownSessionTurns = (address: string, token: string): Turn[] =>
    isIssued(token) ? [[endedSessions, token]] : madeUpSessions(address);
  return {
    waitForBody(address, bytes) {
      const cost = Math.min(Math.max(bytes || 0, leastBodyBytes), longestJsonBytes);
      return waitForTurn(bodies(address), cost, 'overloaded');
    },
    wait(address, token) {
      if (token === undefined) return waitForTurn(networks(address), 1, 'too_many_tries');
      const isKnown = visits.has(token) || sessions.has(token) || isIssued(token);
      return waitForTurn([...(isKnown ? [] : networks(address)), [tokens, token]], 1, 'too_many_tries');
    },
    noteValid: visits.add,
    async waitForSession(address, token) {
      if (!sessions.has(token)) await waitForTurn(unknownSessionTurns(address, token), 0, 'too_many_tries');
    },
    noteSession: sessions.add,
    noteUnknownSession(address, token) {
      sessions.remove(token);
      for (const [pace, key] of unknownSessionTurns(address, token)) pace.add(key, 1);
    },
  };
}
