import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, type KeyboardEvent, type MouseEvent, type RefObject } from 'react';
import type { LateMinutes, QueueEntry } from '#contract/queue.ts';
import { isLate } from './lateness.ts';
import { cardId, VisitCard, visitIdAt, type Density } from './visit-card.tsx';
import css from './visit-list.module.css';

const cardHeight: Record<Density, number> = { comfortable: 70, compact: 52 };
const gap: Record<Density, number> = { comfortable: 6, compact: 4 };

interface VisitListProps {
  label: string;
  visits: readonly QueueEntry[];
  selectedId: string | undefined;
  now: number;
  limits: LateMinutes;
  density: Density;
  listRef: RefObject<HTMLDivElement | null>;
  onSelect: (id: string) => void;
  /** Enter moves on to the patient. */
  onEnter: () => void;
}

/**
 * The cards as one listbox. The list has the focus, never a card, so that a disappearing card cannot take the focus away.
 * Only the visible cards and the selected one are rendered.
 */
export function VisitList({
  label,
  visits,
  selectedId,
  now,
  limits,
  density,
  listRef,
  onSelect,
  onEnter,
}: VisitListProps) {
  'use no memo';
  const selectedAt = visits.findIndex((visit) => visit.id === selectedId);
  const virtual = useVirtualizer({
    count: visits.length,
    getScrollElement: () => listRef.current,
    estimateSize: () => cardHeight[density],
    getItemKey: (i) => visits[i]?.id ?? i,
    gap: gap[density],
    paddingStart: 12,
    paddingEnd: 12,
    overscan: 4,
    scrollPaddingStart: 12,
    scrollPaddingEnd: 12,
    rangeExtractor: (range) => {
      const shown = defaultRangeExtractor(range);
      return selectedAt < 0 || shown.includes(selectedAt) ? shown : [...shown, selectedAt].sort((a, b) => a - b);
    },
  });

  const scrolledTo = useRef<string>(undefined);
  useEffect(() => {
    if (scrolledTo.current === selectedId || (selectedId && selectedAt < 0)) return;
    scrolledTo.current = selectedId;
    if (selectedAt >= 0) virtual.scrollToIndex(selectedAt, { align: 'auto' });
  }, [virtual, selectedId, selectedAt]);
  useEffect(() => virtual.measure(), [virtual, density]);

  const onKeyDown = (event: KeyboardEvent) => {
    const to = stepOf(event.key, selectedAt, visits.length);
    const visit = to === undefined ? undefined : visits[to];
    if (visit) onSelect(visit.id);
    else if (event.key === 'Enter' && selectedAt >= 0) onEnter();
    else return;
    event.preventDefault();
  };

  // The list can move under the finger: the click hits the card at release, so a click counts only on the card that was pressed.
  const pressedId = useRef<string | null>(undefined);
  const onClick = (event: MouseEvent) => {
    const pressed = pressedId.current;
    pressedId.current = undefined;
    const id = visitIdAt(event.target);
    // Screen readers click without pointerdown.
    if (id !== null && (pressed === undefined || pressed === id)) onSelect(id);
  };

  return (
    <div
      ref={listRef}
      role="listbox"
      aria-label={label}
      aria-activedescendant={selectedId && selectedAt >= 0 ? cardId(selectedId) : undefined}
      tabIndex={0}
      data-keys
      className={css.list}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => (pressedId.current = visitIdAt(event.target))}
      onClick={onClick}
    >
      <div role="presentation" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, key, start }) => {
          const visit = visits[index];
          return (
            visit && (
              <VisitCard
                key={key}
                visit={visit}
                now={now}
                late={isLate(visit, limits, now)}
                selected={index === selectedAt}
                density={density}
                top={start}
                place={index + 1}
                of={visits.length}
              />
            )
          );
        })}
      </div>
    </div>
  );
}

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
