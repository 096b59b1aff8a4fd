import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { useEffect, useEffectEvent, useRef } from 'react';
import { isHistory, type QueueEntry } from '#contract/queue.ts';
import { ringArrival } from '#web/kit/sound.ts';
import { useStore } from '#web/kit/store.ts';
import { dismissToast, toast } from '#web/panel/ui/toasts.ts';
import { formCounts } from '#web/panel/features/queue/forms/form-labels.ts';
import { addArrivals, keepArrivals, newArrivals } from './new-arrivals.ts';
import { useShownName } from '#web/panel/features/queue/privacy.tsx';

interface Arrivals {
  officeId: string;
  withSound: boolean;
  selectedId: string | undefined;
  open: (visitId: string) => void;
}

/** The visits that arrived while this window was watching and that nobody here has opened yet, the first of them first. */
export const useNewArrivals = (): readonly string[] => useStore(newArrivals).ids;

/** Tells the desk who has arrived and who is inside, and rings for an arrival. The first load makes no toast and no sound. */
export function useArrivals(
  visits: readonly QueueEntry[] | undefined,
  { officeId, withSound, selectedId, open }: Arrivals,
): void {
  const { t } = useLingui();
  const shownName = useShownName();
  const known = useRef<Map<string, QueueEntry>>(undefined);
  const arrivalToast = useRef<{ id: number; visitId: string }>(undefined);

  const tellArrived = (arrived: readonly QueueEntry[], first: QueueEntry) => {
    if (withSound) ringArrival();
    const name = shownName(first.patientName, first.username);
    const count = arrived.length;
    const many = t`${plural(count, { one: '# patient has arrived', other: '# patients have arrived' })}`;
    // One at a time: a busy morning must not push Undo off the screen.
    if (arrivalToast.current) dismissToast(arrivalToast.current.id);
    const id = toast({
      title: count === 1 ? t`${name} has arrived` : many,
      action: { label: t`Open`, run: () => open(first.id) },
    });
    arrivalToast.current = { id, visitId: first.id };
  };
  /** Whoever was opened, called or removed is no news. */
  const dropOldNews = (isStillNew: (id: string) => boolean) => {
    keepArrivals(officeId, isStillNew);
    if (!arrivalToast.current || isStillNew(arrivalToast.current.visitId)) return;
    dismissToast(arrivalToast.current.id);
    arrivalToast.current = undefined;
  };
  const tellInside = ({ id, patientName, username, forms }: QueueEntry) => {
    const name = shownName(patientName, username);
    const { done, all } = formCounts(forms);
    toast({
      title: all > 0 ? t`${name} is inside, ${done} of ${all} forms` : t`${name} is inside`,
      action: { label: t`Open`, run: () => open(id) },
    });
  };
  const compare = useEffectEvent((now: readonly QueueEntry[]) => {
    const before = known.current;
    known.current = new Map(now.map((visit) => [visit.id, visit]));
    dropOldNews((id) => id !== selectedId && known.current?.get(id)?.statusCode === 'WAITING');
    if (!before) return;
    const arrived = now.filter(({ id, statusCode }) => !before.has(id) && !isHistory(statusCode));
    const [first] = arrived;
    if (first) {
      addArrivals(
        officeId,
        arrived.map(({ id }) => id),
      );
      tellArrived(arrived, first);
    }
    for (const visit of now) {
      const old = before.get(visit.id);
      if (old && old.statusCode !== visit.statusCode && visit.statusCode === 'PATIENT_DONE') tellInside(visit);
    }
  });
  useEffect(() => {
    if (visits) compare(visits);
  }, [visits]);
  const drop = useEffectEvent(dropOldNews);
  useEffect(() => {
    if (selectedId) drop((id) => id !== selectedId);
  }, [officeId, selectedId]);
}
