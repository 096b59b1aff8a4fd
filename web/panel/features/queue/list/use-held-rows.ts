import { useLayoutEffect, useMemo, useRef, useState } from 'react';
import { holdRows, topsOf, type Tops } from './held-rows.ts';
import type { Row } from './stages.ts';

interface HeldRows {
  rows: readonly Row[];
  /** The card under the mouse, if any. */
  onHover: (visitId: string | undefined) => void;
}

/**
 * The rows as they are shown: the card under the mouse and the selected one stay in place while the others move, so that nobody clicks
 * or calls in the wrong patient. Another search, tab or stage (`view`) begins anew.
 */
export function useHeldRows(
  rows: readonly Row[],
  selectedId: string | undefined,
  heightOf: (row: Row) => number,
  view: string,
): HeldRows {
  'use no memo';
  const shown = useRef<{ tops: Tops; view: string }>({ tops: new Map(), view });
  const hovered = useRef<string>(undefined);
  const [released, setReleased] = useState(0);
  const held = useMemo(() => {
    const tops: Tops = shown.current.view === view ? shown.current.tops : new Map();
    return holdRows(rows, tops, [selectedId, hovered.current], heightOf);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- leaving a held card orders the list anew
  }, [rows, selectedId, heightOf, view, released]);
  const now = held.rows;
  useLayoutEffect(() => {
    shown.current = { tops: topsOf(now, heightOf), view };
  }, [now, heightOf, view]);
  return {
    rows: now,
    onHover: (visitId) => {
      const left = hovered.current;
      if (left === visitId) return;
      hovered.current = visitId;
      if (left !== undefined && left !== selectedId && held.displaced.has(left)) setReleased((times) => times + 1);
    },
  };
}
