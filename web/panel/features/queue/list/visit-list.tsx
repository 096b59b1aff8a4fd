import { defaultRangeExtractor, useVirtualizer, type VirtualItem, type Virtualizer } from '@tanstack/react-virtual';
import {
  useCallback,
  useEffect,
  useMemo,
  useRef,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type RefObject,
} from 'react';
import type { LateMinutes } from '#contract/practice/office.ts';
import type { QueueEntry } from '#contract/queue.ts';
import type { QueueStage } from '#contract/sign-in/session.ts';
import { latenessOf } from './lateness.ts';
import { StageHeading } from './stage-heading.tsx';
import type { Row } from './stages.ts';
import { cardHeight, cardId, VisitCard, visitIdAt, type Density } from '#web/panel/features/queue/card/visit-card.tsx';
import css from './visit-list.module.css';

const headingHeight: Record<Density, number> = { comfortable: 26, compact: 20 };
const gap: Record<Density, number> = { comfortable: 6, compact: 2 };
const padding: Record<Density, number> = { comfortable: 12, compact: 6 };

const ownHeight = (row: Row, density: Density) =>
  row.kind === 'heading' ? headingHeight[density] : cardHeight(row.visit, density);

/** The height of a row with the gap below it, px. One function per density, for the hooks that depend on it. */
export const rowHeights: Record<Density, (row: Row) => number> = {
  comfortable: (row) => ownHeight(row, 'comfortable') + gap.comfortable,
  compact: (row) => ownHeight(row, 'compact') + gap.compact,
};

interface VisitListProps {
  label: string;
  rows: readonly Row[];
  /** The visits of the rows, in order. */
  visits: readonly QueueEntry[];
  selectedId: string | undefined;
  /** Visits that arrived a moment ago. */
  newIds: readonly string[];
  now: number;
  limits: LateMinutes;
  density: Density;
  listRef: RefObject<HTMLDivElement | null>;
  onSelect: (id: string) => void;
  /** Enter moves on to the patient. */
  onEnter: () => void;
  onHover: (id: string | undefined) => void;
  onStage: (stage: QueueStage, isOpen: boolean) => void;
}

/**
 * The cards as one listbox. The list has the focus, never a card, so that a disappearing card cannot take the focus away. The headings lie
 * over it, because a listbox may contain no buttons. Only the visible cards, the selected one and the headings are rendered.
 */
export function VisitList(props: VisitListProps) {
  'use no memo';
  const { label, rows, visits, selectedId, newIds, now, limits, density, listRef } = props;
  const { onSelect, onEnter, onHover, onStage } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const headings = useMemo(() => rows.flatMap((row, i) => (row.kind === 'heading' ? [i] : [])), [rows]);
  const selectedRow = rows.findIndex((row) => row.kind === 'visit' && row.visit.id === selectedId);
  const placeOf = (row: number) => row - headings.filter((heading) => heading < row).length;
  const selectedAt = selectedRow < 0 ? -1 : placeOf(selectedRow);
  const virtual = useShownRows(scroller, { rows, headings, selectedRow, selectedId, density });
  const presses = useCardPresses(onSelect);
  const onKeyDown = (event: KeyboardEvent) => {
    const to = stepOf(event.key, selectedAt, visits.length);
    const visit = to === undefined ? undefined : visits[to];
    if (visit) onSelect(visit.id);
    else if (event.key === 'Enter' && selectedAt >= 0) onEnter();
    else return;
    event.preventDefault();
  };
  const onPointerOver = ({ pointerType, target }: PointerEvent) => {
    if (pointerType === 'mouse') onHover(visitIdAt(target) ?? undefined);
  };

  const items = virtual.getVirtualItems();
  return (
    <div ref={scroller} id={scrollerId} className={css.scroller}>
      <div className={css.rows} style={{ height: virtual.getTotalSize() }}>
        {items.map(({ index, start }) => {
          const row = rows[index];
          return (
            row?.kind === 'heading' && (
              <StageHeading
                key={row.stage}
                stage={row.stage}
                count={row.count}
                isOpen={row.isOpen}
                isCompact={density === 'compact'}
                top={start}
                onToggle={onStage}
              />
            )
          );
        })}
        <div
          ref={listRef}
          role="listbox"
          aria-label={label}
          aria-activedescendant={selectedId && selectedAt >= 0 ? cardId(selectedId) : undefined}
          tabIndex={0}
          data-keys
          className={css.list}
          onKeyDown={onKeyDown}
          onPointerOver={onPointerOver}
          onPointerLeave={() => onHover(undefined)}
          {...presses}
        >
          {items.map(({ index, key, start }) => {
            const row = rows[index];
            return (
              row?.kind === 'visit' && (
                <VisitCard
                  key={key}
                  visit={row.visit}
                  now={now}
                  late={latenessOf(row.visit, limits, now)}
                  selected={index === selectedRow}
                  isInQueue={headings.length > 0}
                  isNew={newIds.includes(row.visit.id)}
                  density={density}
                  top={start}
                  place={placeOf(index) + 1}
                  of={visits.length}
                />
              )
            );
          })}
        </div>
      </div>
    </div>
  );
}

interface ShownRows extends Pick<VisitListProps, 'rows' | 'selectedId' | 'density'> {
  /** The rows that are headings. */
  headings: readonly number[];
  /** -1 without a selected row. */
  selectedRow: number;
}

/** Which rows are rendered, and where. A patient who is selected is scrolled into view once. */
function useShownRows(
  scroller: RefObject<HTMLDivElement | null>,
  { rows, headings, selectedRow, selectedId, density }: ShownRows,
) {
  'use no memo';
  // With the same function, the rows are not measured again at each step.
  const keyOf = useCallback(
    (i: number) => (rows[i]?.kind === 'visit' ? rows[i].visit.id : (rows[i]?.stage ?? i)),
    [rows],
  );
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (i) => (rows[i] ? ownHeight(rows[i], density) : 0),
    getItemKey: keyOf,
    gap: gap[density],
    paddingStart: padding[density],
    paddingEnd: padding[density],
    overscan: 4,
    rangeExtractor: (range) => {
      const shown = new Set([...defaultRangeExtractor(range), ...headings]);
      if (selectedRow >= 0) shown.add(selectedRow);
      return [...shown].sort((a, b) => a - b);
    },
  });

  const scrolledTo = useRef<string>(undefined);
  useEffect(() => {
    if (scrolledTo.current === selectedId || (selectedId && selectedRow < 0)) return;
    scrolledTo.current = selectedId;
    const item = virtual.measurementsCache[selectedRow];
    if (item) scrollIntoSight(virtual, item, padding[density]);
  }, [virtual, selectedId, selectedRow, density]);
  useEffect(() => virtual.measure(), [virtual, density]);
  return virtual;
}

/** The list can move under the finger: the click hits the card at release, so a click counts only on the card that was pressed. */
function useCardPresses(onSelect: (id: string) => void) {
  const pressedId = useRef<string | null>(undefined);
  const onPointerDown = (event: PointerEvent) => void (pressedId.current = visitIdAt(event.target));
  const onClick = (event: MouseEvent) => {
    const pressed = pressedId.current;
    pressedId.current = undefined;
    const id = visitIdAt(event.target);
    // Screen readers click without pointerdown.
    if (id !== null && (pressed === undefined || pressed === id)) onSelect(id);
  };
  return { onPointerDown, onClick };
}

/**
 * Scrolls as little as needed. All heights are known here: the library's own way asks the page for them, which lays it out twice at each step.
 */
function scrollIntoSight(
  { scrollElement, scrollOffset, scrollRect }: Virtualizer<HTMLDivElement, Element>,
  { start, end }: VirtualItem,
  margin: number,
): void {
  const top = scrollOffset ?? 0;
  const height = scrollRect?.height ?? 0;
  if (start - margin < top) scrollElement?.scrollTo({ top: start - margin });
  else if (end + margin > top + height) scrollElement?.scrollTo({ top: end + margin - height });
}

/** The element that scrolls. */
const scrollerId = 'queue-cards';

const page = 8;

/** The index a key leads to; undefined if it does not move. */
function stepOf(key: string, at: number, count: number): number | undefined {
  const to: Record<string, number> = {
    ArrowDown: at + 1,
    ArrowUp: at < 0 ? 0 : at - 1,
    Home: 0,
    End: count - 1,
    PageDown: at + page,
    PageUp: at - page,
  };
  const next = to[key];
  return next === undefined || count === 0 ? undefined : Math.min(Math.max(next, 0), count - 1);
}
