import { useEffect, useRef, useState, type PointerEvent } from 'react';

interface Reorder {
  /** The row being dragged, or null. */
  dragged: string | null;
  /** The properties of a row's handle. */
  handle: (key: string) => { onPointerDown: (event: PointerEvent<HTMLElement>) => void };
}

/**
 * Drags rows by their handles, by mouse, finger or pen. The list changes during the drag; Escape undoes it. The children of `rows` are
 * the rows, in the order of `keys`.
 */
export function useReorder(
  rows: { readonly current: HTMLElement | null },
  keys: readonly string[],
  move: (from: number, to: number) => void,
): Reorder {
  const [dragged, setDragged] = useState<string | null>(null);
  const now = useRef({ keys, move });
  useEffect(() => {
    now.current = { keys, move };
  });

  useEffect(() => {
    if (dragged === null) return;
    const start = now.current.keys.indexOf(dragged);
    const follow = ({ clientY }: globalThis.PointerEvent) => {
      const from = now.current.keys.indexOf(dragged);
      const to = indexAt(rows.current, clientY, from);
      if (to === from) return;
      now.current.move(from, to);
      requestAnimationFrame(() => rows.current?.children[to]?.scrollIntoView({ block: 'nearest' }));
    };
    const end = () => setDragged(null);
    const takeBack = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      now.current.move(now.current.keys.indexOf(dragged), start);
      end();
    };
    document.addEventListener('pointermove', follow);
    document.addEventListener('pointerup', end);
    document.addEventListener('pointercancel', end);
    document.addEventListener('keydown', takeBack);
    return () => {
      document.removeEventListener('pointermove', follow);
      document.removeEventListener('pointerup', end);
      document.removeEventListener('pointercancel', end);
      document.removeEventListener('keydown', takeBack);
    };
  }, [dragged, rows]);

  return {
    dragged,
    handle: (key) => ({
      onPointerDown(event) {
        if (event.button !== 0) return;
        event.preventDefault();
        setDragged(key);
      },
    }),
  };
}

/** The index for a row that is held at this height: past the middle of a neighbor it takes the neighbor's place. */
function indexAt(list: HTMLElement | null, y: number, from: number): number {
  const boxes = [...(list?.children ?? [])].map((row) => row.getBoundingClientRect());
  const middle = (box: DOMRect) => box.top + box.height / 2;
  let to = from;
  while (boxes[to + 1] && y > middle(boxes[to + 1] as DOMRect)) to++;
  while (to > 0 && boxes[to - 1] && y < middle(boxes[to - 1] as DOMRect)) to--;
  return to;
}
