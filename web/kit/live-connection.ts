import {
  closeCodes,
  heartbeatMessage,
  livePath,
  readyMessage,
  silenceMs,
  type HintMessage,
  type Subscription,
} from '#contract/live.ts';

export interface ConnectionHandlers {
  /** The server accepted the subscription, for the first time or again. */
  onOpen(): void;
  onHint(hint: HintMessage): void;
  /** Any message arrived, so the server is reachable. */
  onAlive(): void;
  /** An open connection is lost, or the server refuses this page. */
  onLost(): void;
}

interface Options {
  address?: string;
  silenceMs?: number;
  checkEveryMs?: number;
}

const longestPauseMs = 5_000;

/**
 * Stays connected to the server until the returned function is called, and reconnects after every loss unless the server refuses the page.
 * Our own few lines: the maintained clients are two to four times as large and do not detect silence.
 */
export function openConnection(
  subscription: Subscription,
  { onOpen, onHint, onAlive, onLost }: ConnectionHandlers,
  { address = location.origin, silenceMs: patienceMs = silenceMs, checkEveryMs = 5_000 }: Options = {},
): () => void {
  let socket: WebSocket | undefined;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let tries = 0;
  let isOpen = false;
  let aliveAt = 0;

  const connect = () => {
    clearTimeout(retry);
    retry = undefined;
    const mine = (socket = new WebSocket(address.replace(/^http/, 'ws') + livePath));
    aliveAt = Date.now();
    mine.onopen = () => mine.send(JSON.stringify(subscription));
    mine.onmessage = ({ data }) => mine === socket && read(JSON.parse(String(data)) as HintMessage);
    mine.onclose = ({ code }) => mine === socket && (code === closeCodes.notSignedIn ? refuse() : reconnect());
  };
  /** Drops the socket without a closing handshake, which would take minutes on a dead network. */
  const disconnect = () => {
    const before = socket;
    socket = undefined;
    before?.close();
    const wasOpen = isOpen;
    isOpen = false;
    return wasOpen;
  };
  const reconnect = () => {
    const wasOpen = disconnect();
    retry = setTimeout(connect, Math.min(1_000 * 2 ** tries++, longestPauseMs) * (0.5 + Math.random()));
    if (wasOpen) onLost();
  };
  const refuse = () => {
    end();
    onLost();
  };
  const read = (message: HintMessage) => {
    aliveAt = Date.now();
    onAlive();
    if (message.type === readyMessage) {
      isOpen = true;
      tries = 0;
      onOpen();
    } else if (message.type !== heartbeatMessage) onHint(message);
  };

  /** By wall clock, because timers stop while a laptop sleeps. */
  const check = () => {
    const now = Date.now();
    if (now < aliveAt) aliveAt = now; // the clock was set back
    if (socket && now - aliveAt > patienceMs) reconnect();
  };
  /** The page became visible, or the browser found a network. */
  const wake = () => {
    check();
    if (retry) connect();
  };
  // The browser notices before the silence limit.
  const onOffline = () => socket && reconnect();
  const checks = setInterval(check, checkEveryMs);
  const events = { offline: onOffline, online: wake, pageshow: wake, visibilitychange: wake };
  for (const [name, act] of Object.entries(events)) globalThis.addEventListener?.(name, act);

  const end = () => {
    clearInterval(checks);
    clearTimeout(retry);
    retry = undefined;
    for (const [name, act] of Object.entries(events)) globalThis.removeEventListener?.(name, act);
    disconnect();
  };
  connect();
  return end;
}
