import { readChat, type VisitorChat } from '#contract/website-chat.ts';
import { call, CallError } from '#web/kit/call.ts';
import { retryDelayMs, startPolling, type Poller } from '#web/kit/poll.ts';

/** While the visitor looks. A hint can be lost, so the live connection changes nothing; an unchanged chat is a 304. */
const seenPollMs = 20_000;
/** While nobody looks: a visitor whose page is silent for two and a half minutes is gone, and hidden pages run late by up to a minute. */
const hiddenPollMs = 60_000;

const nextPollMs = () => (document.visibilityState === 'hidden' ? hiddenPollMs : seenPollMs);

interface PollHandlers {
  onRead: (chat: VisitorChat) => void;
  onRefused: (error: CallError) => void;
}

/** Reads what is new in the chat, again and again until its token has ended. */
export function pollChat(signal: AbortSignal, { onRead, onRefused }: PollHandlers): Poller {
  /** A sent message is shown before the poll that brings it, so only polls move this on. */
  let readUpTo = 0;
  const readNew = async () => {
    for (let more = true; more;) {
      const page = await call(readChat, { query: { after: String(readUpTo) } }, { signal });
      ({ more } = page);
      readUpTo = page.messages.at(-1)?.sequence ?? readUpTo;
      onRead(page);
    }
  };
  const poll = async () => {
    try {
      await readNew();
      return nextPollMs();
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      onRefused(error);
      if (isEnd(error)) return null;
      // The practice may unblock them.
      return isBlock(error) ? hiddenPollMs : retryDelayMs(error);
    }
  };
  return startPolling(poll, 0);
}

/** The token works no more. */
export const isEnd = (error: unknown): boolean => error instanceof CallError && error.status === 401;
export const isBlock = (error: unknown): error is CallError =>
  error instanceof CallError && error.code === 'chat_blocked';
