/**
 * The live connection: one WebSocket per page. The page sends one message that says what it listens to; from then on only the server
 * sends. Both sides send JSON in text messages.
 */
export const livePath = '/api/live';

/** The page's only message. A panel's session comes with its cookie; a program sends its token. Visit tokens never are in an address. */
export type Subscription = { office: string; token?: string } | { visit: string };

/** Something changed: fetch again. A type and ids, never patients' data. */
export interface HintMessage {
  type: string;
  visit?: string;
  /** A patient pressed "I'm here". */
  arrived?: true;
}

/** Besides hints: the subscription is accepted, and the heartbeat. A page cannot see WebSocket's own pings. */
export const readyMessage = 'ready';
export const heartbeatMessage = 'heartbeat';

export const heartbeatEveryMs = 25_000;
/** A page that received nothing for so long connects again: one missed heartbeat and a slow network. */
export const silenceMs = 45_000;

/** Why the server closes a connection. After `notSignedIn` a page stays away, after the others it connects again. */
export const closeCodes = { notSignedIn: 4401, onlyListens: 1008, restart: 1012, tryAgain: 1013 } as const;
