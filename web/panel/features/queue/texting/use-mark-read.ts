import { useEffect, useRef, type RefObject } from 'react';
import { markConversationRead } from '#contract/conversations/inbox.ts';
import { call } from '#web/kit/call.ts';

/** A message counts as read when its thread was on a visible screen this long. */
const shownForMs = 800;
const signsOfLife = ['pointermove', 'pointerdown', 'keydown', 'wheel', 'touchstart'] as const;

interface ShownThread {
  conversationId: string | undefined;
  /** The patient's newest message on screen; undefined while the thread loads. */
  newest: number | undefined;
  unread: number;
}

/**
 * Marks a patient's messages as read, on every desk, once somebody has seen them: the thread was open on a visible page, and somebody was
 * there. Whoever opens a thread is. A thread stays open while nobody is at the desk, so a message that arrives then keeps its mark until
 * somebody uses the mouse or the keyboard.
 */
export function useMarkRead(
  thread: RefObject<HTMLElement | null>,
  { conversationId, newest, unread }: ShownThread,
): void {
  const openedWith = useRef<number>(undefined);
  useEffect(() => {
    openedWith.current ??= newest;
    const element = thread.current;
    if (!element || unread === 0 || conversationId === undefined || newest === undefined || newest === 0) return;
    const stop = new AbortController();
    let isSomebodyThere = newest <= (openedWith.current ?? 0);
    let isOnScreen = false;
    let seen: ReturnType<typeof setTimeout> | undefined;
    const mark = () => {
      stop.abort();
      // If this fails the messages stay unread; the next change tries again.
      void call(markConversationRead, { params: { id: conversationId }, body: { sequence: newest } }).catch(
        () => undefined,
      );
    };
    const look = () => {
      const isSeen = isOnScreen && isSomebodyThere && document.visibilityState === 'visible' && !stop.signal.aborted;
      if (!isSeen) clearTimeout(seen);
      seen = isSeen ? (seen ?? setTimeout(mark, shownForMs)) : undefined;
    };
    const observer = new IntersectionObserver(([entry]) => {
      isOnScreen = entry?.isIntersecting === true;
      look();
    });
    observer.observe(element);
    const noteLife = () => {
      isSomebodyThere = true;
      look();
    };
    for (const sign of signsOfLife) document.addEventListener(sign, noteLife, { signal: stop.signal, passive: true });
    document.addEventListener('visibilitychange', look, { signal: stop.signal });
    return () => {
      clearTimeout(seen);
      stop.abort();
      observer.disconnect();
    };
  }, [conversationId, newest, thread, unread]);
}
