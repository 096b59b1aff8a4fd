import type { Row } from './stages.ts';

/** Distance from the top of the list, px, of each card as it was shown last. */
export type Tops = ReadonlyMap<string, number>;

interface HeldRows {
  rows: readonly Row[];
  /** The visits that are not in the place where the order would put them. */
  displaced: ReadonlySet<string>;
}

/** Where each card begins when the rows stand below each other. */
export function topsOf(rows: readonly Row[], heightOf: (row: Row) => number): Map<string, number> {
  const tops = new Map<string, number>();
  let top = 0;
  for (const row of rows) {
    if (row.kind === 'visit') tops.set(row.visit.id, top);
    top += heightOf(row);
  }
  return tops;
}

/** The rows in a new order, but the held cards stay where they were shown: the others move around them. */
export function holdRows(
  rows: readonly Row[],
  shown: Tops,
  heldIds: readonly (string | undefined)[],
  heightOf: (row: Row) => number,
): HeldRows {
  const isHeld = (row: Row) => row.kind === 'visit' && heldIds.includes(row.visit.id) && shown.has(row.visit.id);
  const topOf = (row: Row) => (row.kind === 'visit' ? (shown.get(row.visit.id) ?? 0) : 0);
  let top = 0;
  let isMoved = false;
  for (const row of rows) {
    isMoved ||= isHeld(row) && topOf(row) !== top;
    top += heightOf(row);
  }
  if (!isMoved) return { rows, displaced: new Set() };
  const now = topsOf(rows, heightOf);
  const held = rows.filter(isHeld).toSorted((a, b) => topOf(a) - topOf(b));
  const result = rows.filter((row) => !isHeld(row));
  for (const row of held) result.splice(placeNear(result, topOf(row), heightOf), 0, row);
  const at = topsOf(result, heightOf);
  return {
    rows: result,
    displaced: new Set([...at].filter(([id, top]) => heldIds.includes(id) && top !== now.get(id)).map(([id]) => id)),
  };
}

/** The index whose row begins nearest to a distance from the top. */
function placeNear(rows: readonly Row[], wanted: number, heightOf: (row: Row) => number): number {
  let top = 0;
  for (const [i, row] of rows.entries()) {
    const height = heightOf(row);
    if (wanted < top + height / 2) return i;
    top += height;
  }
  return rows.length;
}
