import { leaveChat, type ChatFront, type VisitorMessage } from '#contract/website-chat.ts';
import { call, setVisitorToken } from '#web/kit/call.ts';
import { noteConnected } from '#web/kit/connection.ts';
import { openConnection } from '#web/kit/live-connection.ts';
import { createStore } from '#web/kit/store.ts';
import { isOpen, tellWebsite } from '#web/widget/features/website/index.ts';
import { emptyChat, withMessages, type ChatState } from './chat-state.ts';
import { listenToPage } from './listen-to-page.ts';
import { openOutbox, type Unsent } from './outbox.ts';
import { isBlock, isEnd, pollChat } from './poll-chat.ts';
import { followWriting, tellWriting } from './writing.ts';

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
  /** Empties the outbox; returns what was not sent. */
  takeUnsent(): Unsent;
  stop(): void;
}

/** Follows the chat of a token: by push, by polling in case a push is lost, and at once when the page or the network is back. */
export function followChat({ npi, token, front }: { npi: string; token: string; front: ChatFront }): ChatFollower {
  const stopped = new AbortController();
  const { signal } = stopped;
  const store = createStore<ChatState>(emptyChat(front));
  const set = (change: Partial<ChatState>) => store.set({ ...store.get(), ...change });
  setVisitorToken(token);

  const missed = countMissed();
  const writing = followWriting((isOfficeWriting) => {
    if (isOfficeWriting !== store.get().isOfficeWriting) set({ isOfficeWriting });
  });
  const addMessages = (added: readonly VisitorMessage[]) => {
    const { messages, fresh } = withMessages(store.get().messages, added);
    if (fresh.length === 0) return;
    set({ messages });
    const answers = fresh.filter(({ from }) => from !== 'visitor').length;
    if (answers > 0) writing.stop();
    missed.add(answers);
  };
  /** Notes that the chat has ended, or that the practice has blocked the visitor. */
  const noteRefusal = (error: unknown) => {
    if (isEnd(error)) set({ isEnded: true });
    if (isBlock(error)) set({ blocked: error.title, isOfficeWriting: false });
  };

  const polling = pollChat(signal, {
    onRead({ messages, office, name, phoneEnding, textsBlocked }) {
      addMessages(messages);
      set({ office, name, phoneEnding, textsBlocked, isLoaded: true, blocked: null });
    },
    onRefused: noteRefusal,
  });
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
      onOpen: polling.now,
      onHint: ({ type }) => (type === 'writing' ? writing.heard() : polling.now()),
      onAlive: noteConnected,
      onLost: polling.now,
    },
  );
  const stopListening = listenToPage({
    onLeave: () => void call(leaveChat, {}, { keepalive: true }).catch(() => undefined),
    onBack: polling.now,
    onOpened: missed.clear,
  });

  return {
    now: store.get,
    watch: store.subscribe,
    send: outbox.add,
    sendAgain: outbox.sendAgain,
    discard: outbox.remove,
    noteWriting: tellWriting(),
    setName: (name) => set({ name }),
    setPhoneEnding: (phoneEnding) => set({ phoneEnding }),
    takeUnsent: outbox.takeAll,
    stop() {
      stopped.abort();
      writing.end();
      polling.stop();
      disconnect();
      stopListening();
      setVisitorToken(null);
    },
  };
}

/** Counts the answers that came while the chat was closed; the button on the website shows them. */
function countMissed() {
  let missed = 0;
  const tell = (count: number) => tellWebsite({ chat: 'unread', count: (missed = count) });
  return {
    add(answers: number) {
      if (answers > 0 && !isOpen()) tell(missed + answers);
    },
    clear: () => tell(0),
  };
}
