import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { forgetPatients, useSession } from '#web/kit/session.ts';
import { LoadingScreen } from '#web/panel/app/loading-screen.tsx';
import { LockedPanel } from '#web/panel/app/locked-panel.tsx';

const EntrySteps = lazy(() => import('./entry-steps.tsx').then((steps) => ({ default: steps.EntrySteps })));

/** Everything before the dashboards: sign-in, unlocking, and offices that are not set up yet. */
export function EntryPage() {
  const cache = useQueryClient();
  const { gate } = useSession();
  // During the first render: an effect would also drop what the steps below have just requested.
  useState(() => forgetPatients(cache));
  if (gate.because === 'locked') return <LockedPanel />;
  return (
    <Suspense fallback={<LoadingScreen />}>
      <EntrySteps because={gate.because} />
    </Suspense>
  );
}
