/** What is heard on a line to the server. */
export interface Hearing {
  /** It stands: for the first time, or again. */
  stood(): void;
  told(name: string, body: unknown): void;
  /** The server is there. */
  alive(): void;
  /** It stood and is cut. */
  cut(): void;
  /** The server does not want this listener. Answers in how many ms to ask again; null: not at all. */
  refused(why: string): number | null;
}

const answersWithinMs = 20_000;
const longestPauseMs = 5_000;

/**
 * A line on which the server speaks: what a page that only listens needs of Socket.IO's protocol (5, over Engine.IO's 4). The library
 * brings a second transport and all that a page could say: 12.7 kB, an eighth of the phone's whole script. Cut, the line comes back by
 * itself, unless the server ended it. It ends with the returned function.
 */
export function listen(auth: object, hearing: Hearing, at: string = location.origin): () => void {
  const address = `${at.replace(/^http/, 'ws')}/socket.io/?EIO=4&transport=websocket`;
  let socket: WebSocket | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let tries = 0;
  let silenceMs = answersWithinMs;
  let stands = false;
  let isOver = false;

  const expectWithin = (ms: number) => {
    clearTimeout(timer);
    timer = setTimeout(lose, ms);
  };
  const begin = () => {
    clearTimeout(timer);
    const mine = (socket = new WebSocket(address));
    mine.onmessage = ({ data }) => mine === socket && read(String(data));
    mine.onclose = () => mine === socket && lose();
    expectWithin(answersWithinMs);
  };
  /** Lets go of the line, and tries again unless told not to. */
  const end = (againInMs: number | null) => {
    clearTimeout(timer);
    const before = socket;
    socket = undefined;
    before?.close();
    if (againInMs !== null && !isOver) timer = setTimeout(begin, againInMs);
    if (!stands) return;
    stands = false;
    if (!isOver) hearing.cut();
  };
  const lose = () => end(Math.min(1_000 * 2 ** tries++, longestPauseMs) * (0.5 + Math.random()));

  const read = (packet: string) => {
    const kind = /^(0|2|4[0124])/.exec(packet)?.[0] ?? '';
    const said = () => JSON.parse(packet.slice(kind.length) || '{}') as unknown;
    if (kind === '0') {
      const { pingInterval, pingTimeout } = said() as { pingInterval: number; pingTimeout: number };
      silenceMs = pingInterval + pingTimeout;
      socket?.send(`40${JSON.stringify(auth)}`);
    } else if (kind === '2') {
      socket?.send('3');
      hearing.alive();
    } else if (kind === '40') {
      stands = true;
      tries = 0;
      hearing.stood();
    } else if (kind === '42') {
      const [name, body] = said() as [string, unknown];
      hearing.told(name, body);
    } else if (kind === '44') return end(hearing.refused((said() as { message: string }).message));
    else if (kind === '41') return end(null);
    expectWithin(silenceMs);
  };

  // The browser knows sooner than any silence.
  const away = () => socket && lose();
  const back = () => !socket && timer && begin();
  globalThis.addEventListener?.('offline', away);
  globalThis.addEventListener?.('online', back);
  begin();
  return () => {
    isOver = true;
    globalThis.removeEventListener?.('offline', away);
    globalThis.removeEventListener?.('online', back);
    end(null);
  };
}
