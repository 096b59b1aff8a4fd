import { useEffect, type RefObject } from 'react';
import { markConversationRead } from '#contract/conversations.ts';
import type { OpenedVisit } from '#contract/queue.ts';
import { call } from '#web/kit/call.ts';

/** A message counts as read when its thread was on screen this long and somebody used the mouse or the keyboard. */
const shownForMs = 800;
const signsOfLife = ['pointermove', 'pointerdown', 'keydown', 'wheel', 'touchstart'] as const;

/**
 * Marks a patient's messages as read, on every desk, once somebody has seen them. A selected patient stays on screen while nobody is at the
 * desk, so a message that arrives then keeps its mark until somebody is back.
 */
export function useMarkRead(
  thread: RefObject<HTMLElement | null>,
  newestReply: OpenedVisit['newestReply'],
  unread: number,
): void {
  const conversationId = newestReply?.conversationId;
  const sequence = newestReply?.sequence;
  useEffect(() => {
    const element = thread.current;
    if (!element || unread === 0 || conversationId === undefined || sequence === undefined) return;
    const stop = new AbortController();
    let shownSince: number | null = null;
    const observer = new IntersectionObserver(([entry]) => {
      shownSince = entry?.isIntersecting ? performance.now() : null;
    });
    observer.observe(element);
    const mark = () => {
      if (shownSince === null || performance.now() - shownSince < shownForMs) return;
      stop.abort();
      // If this fails the messages stay unread; the next sign of life after the next change tries again.
      void call(markConversationRead, { params: { id: conversationId }, body: { sequence } }).catch(() => undefined);
    };
    for (const sign of signsOfLife) document.addEventListener(sign, mark, { signal: stop.signal, passive: true });
    return () => {
      stop.abort();
      observer.disconnect();
    };
  }, [conversationId, sequence, thread, unread]);
}
