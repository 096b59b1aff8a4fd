import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { lazy, Suspense, useEffect, useState } from 'react';
import { ringArrival } from '#web/kit/sound.ts';
import { joinOffice, useHints } from '#web/kit/live.ts';
import { useSession } from '#web/kit/session.ts';
import { entryFrame } from './entry/entry-frame.tsx';
import { LoadingScreen } from './loading-screen.tsx';

const LockScreen = lazy(() =>
  import('#web/panel/features/sign-in/lock-screen.tsx').then((module) => ({ default: module.LockScreen })),
);

/** Replaces the office's pages while the panel is locked. Arrivals and callbacks still play their sound, without a name. */
export function LockedPanel() {
  const arrivals = useNewsBehindTheLock();
  return (
    <Suspense fallback={<LoadingScreen />}>
      <LockScreen {...entryFrame} arrivals={arrivals} />
    </Suspense>
  );
}

function useNewsBehindTheLock(): string {
  const { t } = useLingui();
  const { office, person } = useSession();
  const [counts, setCounts] = useState({ arrivals: 0, callbacks: 0 });
  const officeId = office?.id;
  useEffect(() => (officeId === undefined ? undefined : joinOffice(officeId)), [officeId]);
  useHints(({ type, arrived }) => {
    if (!arrived) return;
    const what = type === 'callback' ? 'callbacks' : 'arrivals';
    setCounts((before) => ({ ...before, [what]: before[what] + 1 }));
    if (person?.preferences.sound === true) ringArrival();
  });
  const { arrivals, callbacks } = counts;
  return [
    arrivals > 0 && t`${plural(arrivals, { one: '# patient has arrived', other: '# patients have arrived' })}`,
    callbacks > 0 && t`${plural(callbacks, { one: '# patient needs a call', other: '# patients need a call' })}`,
  ]
    .filter(Boolean)
    .join(' · ');
}
