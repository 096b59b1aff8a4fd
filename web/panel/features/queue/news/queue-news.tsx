import { useLingui } from '@lingui/react/macro';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { useSession } from '#web/kit/session.ts';
import { useSoundAfterFirstClick } from '#web/kit/sound.ts';
import { Counter } from '#web/panel/ui/status-badge.tsx';
import { VisuallyHidden } from '#web/kit/visually-hidden.tsx';
import { useArrivals, useNewArrivals } from './use-arrivals.ts';
import { useWantsSound } from './sound-switch.tsx';
import { useQueueHints, useQueueOfShell } from '#web/panel/features/queue/visits/use-queue.ts';

const queuePath = '/dashboard';

/**
 * Watches today's queue on every page of the panel, so that nobody at the desk misses an arrival while they read a form. The queue page
 * shows the same answer of the server: nothing is fetched twice.
 */
export function QueueNews() {
  const navigate = useNavigate();
  const selectedId = useLocation({
    select: ({ pathname, search }) => (pathname === queuePath ? (search as { visit?: string }).visit : undefined),
  });
  const isQueuePage = useLocation({ select: ({ pathname }) => pathname === queuePath });
  const wantsSound = useWantsSound() === true;
  const { office } = useSession();
  useSoundAfterFirstClick(wantsSound);
  useQueueHints(selectedId);
  useArrivals(useQueueOfShell().data, {
    officeId: office?.id ?? '',
    withSound: wantsSound,
    selectedId,
    open: (visit) => void navigate({ to: queuePath, search: { visit }, replace: isQueuePage }),
  });
  return null;
}

/** In the Check-in tab: who arrived while this desk was watching, and nobody here has opened yet. */
export function NewArrivalCount() {
  const { t } = useLingui();
  const count = useNewArrivals().length;
  if (count === 0) return null;
  return (
    <Counter strong>
      {count}
      <VisuallyHidden> {t`new`}</VisuallyHidden>
    </Counter>
  );
}
