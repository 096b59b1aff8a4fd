/**
 * The live connection: one WebSocket per page. The page sends a single message to subscribe; after that only the server sends. Both sides
 * send JSON in text messages.
 */
export const livePath = '/api/live';

/** The page's only message. The panel's session comes with its cookie; a program sends its token. The tokens of visits and visitors never appear in a URL. */
export type Subscription = { office: string; token?: string } | { visit: string } | { visitor: string };

/** Something changed: fetch again. Holds a type and ids, never patient data. */
export interface HintMessage {
  type: string;
  visit?: string;
  /** A patient pressed "I'm here". */
  arrived?: true;
  /** For `type: 'writing'`: who writes in which conversation. A first message has no conversation yet; a patient is no `person`. */
  writing?: { conversation: string | null; person: string | null };
}

/** Besides hints, the server confirms the subscription and sends a heartbeat, because a page cannot see WebSocket pings. */
export const readyMessage = 'ready';
export const heartbeatMessage = 'heartbeat';

export const heartbeatEveryMs = 25_000;
/** A page that received nothing for this long reconnects: one missed heartbeat plus a slow network. */
export const silenceMs = 45_000;

/** Why the server closed a connection. After `notSignedIn` a page stays disconnected; after the others it reconnects. */
export const closeCodes = { notSignedIn: 4401, onlyListens: 1008, restart: 1012, tryAgain: 1013 } as const;
