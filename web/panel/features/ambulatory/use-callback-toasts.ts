import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useRef } from 'react';
import { listCallbacks, type NurseCallback } from '#contract/ambulatory/callbacks.ts';
import { call, CallError } from '#web/kit/call.ts';
import { useSession } from '#web/kit/session.ts';
import { useShownName } from '#web/panel/features/queue/index.ts';
import { dismissToast, toast } from '#web/panel/ui/toasts.ts';
import { newCallbacks, stillNew, useNewCallbacks } from './new-callbacks.ts';
import { useCallbackCount } from './use-callbacks.ts';

/** A nurse looks up from a call: longer than an arrival's. */
const seconds = 10;

/** Says by name who needs a call since the panel was opened, with a button that opens the patient, and marks the callbacks as new. */
export function useCallbackToasts(): void {
  const { t } = useLingui();
  const shownName = useShownName();
  const navigate = useNavigate();
  const { person } = useSession();
  const counts = useCallbackCount();
  const { open, waiting, newsAt } = counts ?? {};
  /** Until when the news is told; what there was at the start is none. */
  const toldUntil = useRef<string>(undefined);
  const lastToast = useRef(0);
  /** Whom the last toast is about. */
  const toldIds = useRef<readonly string[]>([]);
  const fresh = useNewCallbacks();

  const show = (title: string, path: () => void) => {
    // One at a time: a busy morning must not push Undo off the screen.
    dismissToast(lastToast.current);
    lastToast.current = toast({ title, tone: 'amber', seconds, action: { label: t`Open`, run: path } });
  };
  const openList = () => void navigate({ to: '/dashboard/patients' });
  /** Whoever asked for the call knows. */
  const isOwn = ({ reasons }: NurseCallback) => {
    const newest = reasons.at(-1);
    return newest?.code === 'requested' && newest.detail.en === person?.name;
  };
  const tell = (arrived: readonly NurseCallback[]) => {
    const [newest] = arrived;
    if (!newest) return;
    toldIds.current = arrived.map(({ id }) => id);
    const { userCode: user, userId: episode, patientName } = newest;
    const name = shownName(patientName);
    const count = arrived.length;
    if (count === 1)
      show(
        t`${name} needs a call`,
        () => void navigate({ to: '/dashboard/patient-details', search: { user, episode } }),
      );
    else show(t`${plural(count, { one: '# patient needs a call', other: '# patients need a call' })}`, openList);
  };
  const look = useEffectEvent(async (signal: AbortSignal) => {
    const since = toldUntil.current ?? '';
    try {
      const { callbacks, pageSize } = await call(listCallbacks, { query: { sort: 'news' } }, { signal });
      const arrived = callbacks.filter((one) => one.state === 'open' && one.newsAt > since && !isOwn(one));
      newCallbacks.set(stillNew(newCallbacks.get(), callbacks, pageSize, arrived));
      tell(arrived);
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      if (signal.aborted) return;
      show(t`A patient needs a call`, openList);
    }
    if (newsAt && newsAt > since) toldUntil.current = newsAt;
  });
  const compare = useEffectEvent((signal: AbortSignal) => {
    if (toldUntil.current === undefined) toldUntil.current = newsAt ?? '';
    else if ((newsAt ?? '') > toldUntil.current || newCallbacks.get().length > 0) void look(signal);
  });
  useEffect(() => {
    if (open === undefined) return;
    const controller = new AbortController();
    compare(controller.signal);
    return () => controller.abort();
  }, [open, waiting, newsAt]);
  useEffect(() => {
    if (toldIds.current.length === 0 || fresh.some(({ id }) => toldIds.current.includes(id))) return;
    // Somebody took them, or they were opened here: it is no news any more.
    dismissToast(lastToast.current);
    toldIds.current = [];
  }, [fresh]);
  // Another person may unlock the panel.
  useEffect(() => () => newCallbacks.set([]), []);
}
