import { useLayoutEffect, useMemo, useRef, useState } from 'react';
import { holdRows, topsOf, type Tops } from './held-rows.ts';
import type { Row } from './stages.ts';

interface HeldRows {
  rows: readonly Row[];
  /** The card under the mouse, if any. */
  onHover: (visitId: string | undefined) => void;
}

/** What was on screen last. */
interface ShownRows {
  tops: Tops;
  view: string;
  selectedId: string | undefined;
  /** The visits that have joined the list since this one was selected. */
  added: ReadonlySet<string>;
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
  const shown = useRef<ShownRows>({ tops: new Map(), view, selectedId, added: new Set() });
  const hovered = useRef<string>(undefined);
  const [released, setReleased] = useState(0);
  const held = useMemo(() => {
    const tops: Tops = shown.current.view === view ? shown.current.tops : new Map();
    // A patient who was moved back is selected as soon as the card is there again, wherever the hold of the one before had pushed it.
    const isAdded = selectedId !== undefined && shown.current.added.has(selectedId);
    return holdRows(rows, tops, [isAdded ? undefined : selectedId, hovered.current], heightOf);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- leaving a held card orders the list anew
  }, [rows, selectedId, heightOf, view, released]);
  const now = held.rows;
  useLayoutEffect(() => {
    const before = shown.current;
    const tops = topsOf(now, heightOf);
    const isSame = before.view === view && before.selectedId === selectedId && before.tops.size > 0;
    const added = isSame ? [...before.added, ...[...tops.keys()].filter((id) => !before.tops.has(id))] : [];
    shown.current = { tops, view, selectedId, added: new Set(added) };
  }, [now, heightOf, view, selectedId]);
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
