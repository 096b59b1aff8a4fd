import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { isHistory, type QueueEntry } from '#contract/queue.ts';
import { useShownName } from './privacy.tsx';
import { ringArrival } from '#web/kit/sound.ts';

/** Rings when a new patient arrives and returns the announcement for a polite live region. The first load does not ring. */
export function useArrivals(visits: readonly QueueEntry[] | undefined, withSound: boolean): string {
  const { t } = useLingui();
  const shownName = useShownName();
  const known = useRef<Set<string>>(undefined);
  const [announcement, setAnnouncement] = useState('');

  const notice = useEffectEvent((now: readonly QueueEntry[]) => {
    const before = known.current;
    known.current = new Set(now.map(({ id }) => id));
    const arrived = before ? now.filter(({ id, statusCode }) => !before.has(id) && !isHistory(statusCode)) : [];
    const [first] = arrived;
    if (!first) return;
    if (withSound) ringArrival();
    const name = shownName(first.patientName);
    const count = arrived.length;
    const many = t`${plural(count, { one: '# patient has arrived', other: '# patients have arrived' })}`;
    setAnnouncement(count === 1 ? t`${name} has arrived` : many);
  });
  useEffect(() => {
    if (visits) notice(visits);
  }, [visits]);
  return announcement;
}
