import type { ChatFront, VisitorMessage } from '#contract/website-chat.ts';
import type { Outgoing } from './outbox.ts';

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

/** Before the first answer. */
export const emptyChat = (office: ChatFront): ChatState => ({
  office,
  name: '',
  phoneEnding: null,
  textsBlocked: false,
  messages: [],
  unsent: [],
  isLoaded: false,
  isOfficeWriting: false,
  blocked: null,
  isEnded: false,
});

/** Adds messages that arrived: each once, in the order of the conversation. `fresh` are those that were not there. */
export function withMessages(
  shown: VisitorMessage[],
  added: readonly VisitorMessage[],
): { messages: VisitorMessage[]; fresh: VisitorMessage[] } {
  const known = new Set(shown.map(({ id }) => id));
  const fresh = added.filter(({ id }) => !known.has(id));
  if (fresh.length === 0) return { messages: shown, fresh };
  return { messages: [...shown, ...fresh].toSorted((a, b) => a.sequence - b.sequence), fresh };
}
