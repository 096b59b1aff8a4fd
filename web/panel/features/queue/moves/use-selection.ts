import { useEffect, useRef, type RefObject } from 'react';
import type { QueueEntry } from '#contract/queue.ts';
import { focusWhenThere, paneId, visitNameId } from '#web/panel/features/queue/keys/panel-places.ts';
import { useQueueAddress } from '#web/panel/features/queue/page/use-queue-address.ts';

interface SelectionInput {
  /** The visits on the list, in order. */
  shown: readonly QueueEntry[];
  list: RefObject<HTMLDivElement | null>;
}

/** Whether the window is too narrow for list and patient side by side. */
export const isNarrow = () => matchMedia('(max-width: 719px)').matches;

/** Which patient is selected, and the ways to another one. On a narrow window the pane replaces the list. */
export function useSelection({ shown, list }: SelectionInput) {
  const { visitId, selectedNow, go } = useQueueAddress();
  const cameFromList = useRef(false);
  const lastAt = useRef(0);

  const at = shown.findIndex(({ id }) => id === visitId);
  useEffect(() => {
    if (at >= 0) lastAt.current = at;
    if (!visitId) cameFromList.current = false;
  }, [at, visitId]);

  const focusList = () =>
    requestAnimationFrame(() =>
      (list.current ?? document.getElementById('queue-list'))?.focus({ preventScroll: true }),
    );
  /** Moves the focus to a place in the selected patient's pane. */
  const lead = (selector: string) => {
    const id = selectedNow();
    if (id) focusWhenThere(id, selector);
  };
  const enter = () => lead(`#${visitNameId}`);
  /** Selects a patient who was moved back. A toast can be pressed on another page, which stays. */
  const showAgain = (id: string) => {
    if (window.location.pathname !== '/dashboard') return;
    go({ visit: id, tab: undefined, day: undefined });
    if (isNarrow()) enter();
    else focusList();
  };
  const choose = (id: string) => {
    const opens = isNarrow() && !selectedNow();
    if (opens) cameFromList.current = true;
    go({ visit: id }, { keep: opens });
    if (opens) enter();
  };
  const leave = () => {
    if (cameFromList.current) history.back();
    else go({ visit: undefined });
    focusList();
  };
  const step = (by: 1 | -1) => {
    const id = selectedNow();
    const now = shown.findIndex((visit) => visit.id === id);
    const from = now >= 0 ? now : by === 1 ? lastAt.current - 1 : lastAt.current;
    const next = shown[Math.min(Math.max(id ? from + by : 0, 0), shown.length - 1)];
    if (!next) return;
    go({ visit: next.id });
    // While the pane catches up, nothing in it can have the focus.
    if (!isNarrow()) focusList();
    else if (document.activeElement?.closest(`#${paneId}`)) enter();
  };

  return { selectedNow, go, focusList, lead, enter, showAgain, choose, leave, step };
}
