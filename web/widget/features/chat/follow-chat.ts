import {
  leaveChat,
  noteVisitorWriting,
  readChat,
  type ChatFront,
  type VisitorMessage,
} from '#contract/website-chat.ts';
import { call, CallError, setVisitorToken } from '#web/kit/call.ts';
import { noteConnected } from '#web/kit/connection.ts';
import { openConnection } from '#web/kit/live-connection.ts';
import { retryDelayMs, startPolling } from '#web/kit/poll.ts';
import { createStore } from '#web/kit/store.ts';
import { isOpen, onWebsite, tellWebsite } from '#web/widget/features/website/index.ts';
import { openOutbox, type Outgoing } from './outbox.ts';

/** Also while nobody looks: a visitor whose page is silent for two and a half minutes is gone, and hidden pages run late by up to a minute. */
const quietPollMs = 60_000;
/** While the visitor looks and the live connection is down. */
const busyPollMs = 20_000;
/** "Writing..." is shown this long after the last sign of it. */
const writingShownMs = 5_000;
const tellWritingEveryMs = 3_000;

/** The visitor's chat as this page knows it. */
export interface ChatState {
  office: ChatFront;
  /** Empty for an anonymous visitor. */
  name: string;
  /** The last two digits of the visitor's verified number. */
  phoneEnding: string | null;
  /** That number gets no texts from the practice. */
  textsBlocked: boolean;
  /** In the order of the conversation. */
  messages: VisitorMessage[];
  /** Written here and not confirmed yet, oldest first. */
  unsent: Outgoing[];
  isLoaded: boolean;
  isOfficeWriting: boolean;
  /** The practice has blocked the visitor: the server's sentence about it. Null while they may write. */
  blocked: string | null;
  /** The token works no more. */
  isEnded: boolean;
}

export interface ChatFollower {
  now(): ChatState;
  watch(watcher: () => void): () => void;
  send(body: string, picture: File | null): void;
  sendAgain(clientId: string): void;
  discard(clientId: string): void;
  /** The visitor is typing. */
  noteWriting(): void;
  setName(name: string): void;
  setPhoneEnding(ending: string): void;
  /** Empties the outbox; returns the words that were not sent. */
  takeUnsentWords(): string[];
  stop(): void;
}

/** Follows the chat of a token: by push, by polling where push does not get through, and at once when the page or the network is back. */
export function followChat({ npi, token, front }: { npi: string; token: string; front: ChatFront }): ChatFollower {
  const stopped = new AbortController();
  const { signal } = stopped;
  const first = {
    name: '',
    phoneEnding: null,
    textsBlocked: false,
    messages: [],
    unsent: [],
    isLoaded: false,
    isOfficeWriting: false,
    blocked: null,
    isEnded: false,
  };
  const store = createStore<ChatState>({ office: front, ...first });
  const set = (change: Partial<ChatState>) => store.set({ ...store.get(), ...change });
  setVisitorToken(token);

  let writingEnds: ReturnType<typeof setTimeout> | undefined;
  const showWriting = (isOfficeWriting: boolean) => {
    clearTimeout(writingEnds);
    if (isOfficeWriting) writingEnds = setTimeout(() => showWriting(false), writingShownMs);
    if (isOfficeWriting !== store.get().isOfficeWriting) set({ isOfficeWriting });
  };

  let missed = 0;
  const addMessages = (added: readonly VisitorMessage[]) => {
    const { messages } = store.get();
    const known = new Set(messages.map(({ id }) => id));
    const fresh = added.filter(({ id }) => !known.has(id));
    if (fresh.length === 0) return;
    set({ messages: [...messages, ...fresh].toSorted((a, b) => a.sequence - b.sequence) });
    const answers = fresh.filter(({ from }) => from !== 'visitor').length;
    if (answers === 0) return;
    showWriting(false);
    if (!isOpen()) tellWebsite({ chat: 'unread', count: (missed += answers) });
  };

  /** A sent message is shown before the poll that brings it, so only polls move this on. */
  let readUpTo = 0;
  const readNewMessages = async () => {
    for (let more = true; more;) {
      const page = await call(readChat, { query: { after: String(readUpTo) } }, { signal });
      ({ more } = page);
      readUpTo = page.messages.at(-1)?.sequence ?? readUpTo;
      addMessages(page.messages);
      const { office, name, phoneEnding, textsBlocked } = page;
      set({ office, name, phoneEnding, textsBlocked, isLoaded: true, blocked: null });
    }
  };

  let isLive = false;
  const nextPollMs = () => (isLive || document.visibilityState === 'hidden' ? quietPollMs : busyPollMs);
  const isEnd = (error: unknown) => error instanceof CallError && error.status === 401;
  /** Notes that the chat has ended, or that the practice has blocked the visitor. */
  const noteRefusal = (error: unknown) => {
    if (isEnd(error)) set({ isEnded: true });
    if (isBlock(error)) set({ blocked: error.title, isOfficeWriting: false });
  };
  const poll = async () => {
    try {
      await readNewMessages();
      return nextPollMs();
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      noteRefusal(error);
      if (isEnd(error)) return null;
      // The practice may unblock them.
      return isBlock(error) ? quietPollMs : retryDelayMs(error);
    }
  };
  const polling = startPolling(poll, 0);

  const outbox = openOutbox(npi, signal, {
    onChange: (unsent) => set({ unsent }),
    onSent(message) {
      set({ blocked: null });
      addMessages([message]);
    },
    onRefused(error) {
      noteRefusal(error);
      return isEnd(error);
    },
  });
  outbox.start();

  const disconnect = openConnection(
    { visitor: token },
    {
      onOpen() {
        isLive = true;
        polling.now();
      },
      onHint: ({ type }) => (type === 'writing' ? showWriting(true) : polling.now()),
      onAlive: noteConnected,
      onLost() {
        isLive = false;
        polling.now();
      },
    },
  );
  const stopListening = listenToPage({
    onLeave: () => void call(leaveChat, {}, { keepalive: true }).catch(() => undefined),
    onBack: polling.now,
    onOpened() {
      missed = 0;
      tellWebsite({ chat: 'unread', count: 0 });
    },
  });

  let toldWritingAt = -tellWritingEveryMs;
  return {
    now: store.get,
    watch: store.subscribe,
    send: outbox.add,
    sendAgain: outbox.sendAgain,
    discard: outbox.remove,
    noteWriting() {
      const now = performance.now();
      if (now - toldWritingAt < tellWritingEveryMs) return;
      toldWritingAt = now;
      void call(noteVisitorWriting).catch(() => undefined);
    },
    setName: (name) => set({ name }),
    setPhoneEnding: (phoneEnding) => set({ phoneEnding }),
    takeUnsentWords: outbox.takeWords,
    stop() {
      stopped.abort();
      clearTimeout(writingEnds);
      polling.stop();
      disconnect();
      stopListening();
      setVisitorToken(null);
    },
  };
}

const isBlock = (error: unknown): error is CallError => error instanceof CallError && error.code === 'chat_blocked';

interface PageHandlers {
  /** The page is closed or left. */
  onLeave: () => void;
  /** The browser shows a page again that the visitor had left. */
  onBack: () => void;
  /** The visitor opened the chat on the website. */
  onOpened: () => void;
}

function listenToPage({ onLeave, onBack, onOpened }: PageHandlers): () => void {
  const onShow = ({ persisted }: PageTransitionEvent) => persisted && onBack();
  addEventListener('pagehide', onLeave);
  addEventListener('pageshow', onShow);
  const stopListening = onWebsite((message) => message === 'opened' && onOpened());
  return () => {
    removeEventListener('pagehide', onLeave);
    removeEventListener('pageshow', onShow);
    stopListening();
  };
}
