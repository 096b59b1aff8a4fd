import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useLayoutEffect, useState } from 'react';
import { ringArrival } from '#web/kit/sound.ts';
import { joinOffice, useHints } from '#web/kit/live.ts';
import { pollMs } from '#web/kit/poll.ts';
import { sessionQuery, useSession } from '#web/kit/session.ts';
import { clearToasts } from '#web/panel/ui/toasts.ts';
import { entryFrame } from './entry/entry-frame.tsx';
import { LoadingScreen } from './loading-screen.tsx';

const LockScreen = lazy(() =>
  import('#web/panel/features/sign-in/lock-screen.tsx').then((module) => ({ default: module.LockScreen })),
);

/** Replaces the office's pages while the panel is locked. Arrivals and callbacks still play their sound, without a name. */
export function LockedPanel() {
  // While a passkey is offered the session is unlocked; looking at it would replace the offer by the panel.
  const [isOffering, setOffering] = useState(false);
  const arrivals = useNewsBehindTheLock(!isOffering);
  useLayoutEffect(clearToasts, []);
  return (
    <Suspense fallback={<LoadingScreen />}>
      <LockScreen {...entryFrame} arrivals={arrivals} onOffer={() => setOffering(true)} />
    </Suspense>
  );
}

function useNewsBehindTheLock(looks: boolean): string {
  const { t } = useLingui();
  const cache = useQueryClient();
  const { office, person } = useSession();
  const [arrivals, setArrivals] = useState(0);
  // No number: a further reason for the same call is a hint too.
  const [hasCallback, setHasCallback] = useState(false);
  const officeId = office?.id;
  useEffect(() => (officeId === undefined ? undefined : joinOffice(officeId)), [officeId]);
  // The number of those who wait also falls, when a colleague at another desk calls somebody in.
  useQuery({ ...sessionQuery, enabled: looks, refetchInterval: pollMs });
  useHints(({ type, arrived }) => {
    if (!arrived) return;
    if (looks) void cache.invalidateQueries({ queryKey: sessionQuery.queryKey });
    if (type === 'callback') setHasCallback(true);
    else setArrivals((before) => before + 1);
    if (person?.preferences.sound === true) ringArrival();
  });
  return [
    arrivals > 0 && t`${plural(arrivals, { one: '# patient has arrived', other: '# patients have arrived' })}`,
    hasCallback && t`A patient needs a call`,
  ]
    .filter(Boolean)
    .join(' · ');
}
