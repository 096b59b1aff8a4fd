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

/** Replaces the office's pages while the panel is locked. An arrival still plays its sound, without a name. */
export function LockedPanel() {
  const arrivals = useArrivalsBehindTheLock();
  return (
    <Suspense fallback={<LoadingScreen />}>
      <LockScreen {...entryFrame} arrivals={arrivals} />
    </Suspense>
  );
}

function useArrivalsBehindTheLock(): string {
  const { t } = useLingui();
  const { office, person } = useSession();
  const [count, setCount] = useState(0);
  const officeId = office?.id;
  useEffect(() => (officeId === undefined ? undefined : joinOffice(officeId)), [officeId]);
  useHints(({ arrived }) => {
    if (!arrived) return;
    setCount((before) => before + 1);
    if (person?.preferences.sound === true) ringArrival();
  });
  return count === 0 ? '' : t`${plural(count, { one: '# patient has arrived', other: '# patients have arrived' })}`;
}
