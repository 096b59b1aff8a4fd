import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react';
import { talkId } from '#web/panel/features/queue/texting/messages-card.tsx';

interface OpenedVisit {
  visitId: string;
  /** Messages that no desk has read; undefined while the visit loads. */
  unread: number | undefined;
}

/**
 * Shows a patient from the top, and one with an unread reply from the conversation. Where that stands beside the facts, it is in sight
 * anyway. Whatever comes later moves nothing. Returns the reference for the element that scrolls.
 */
export function useOpenedPlace({ visitId, unread }: OpenedVisit): RefObject<HTMLDivElement | null> {
  const scroller = useRef<HTMLDivElement>(null);
  const opened = useRef<string>(undefined);
  useLayoutEffect(() => {
    scroller.current?.scrollTo({ top: 0 });
  }, [visitId]);
  useEffect(() => {
    if (unread === undefined || opened.current === visitId) return;
    opened.current = visitId;
    const element = scroller.current;
    const talk = document.getElementById(talkId);
    if (unread === 0 || !element || !talk || getComputedStyle(talk).position === 'sticky') return;
    const below = talk.getBoundingClientRect().top - element.getBoundingClientRect().top;
    element.scrollBy({ top: below - marginPx });
  }, [unread, visitId]);
  return scroller;
}

/** Between the top of the pane and the conversation. */
const marginPx = 8;
