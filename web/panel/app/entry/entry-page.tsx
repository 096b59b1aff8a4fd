import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { forgetPatients, useSession } from '#web/kit/session.ts';
import { LoadingScreen } from '#web/panel/app/loading-screen.tsx';
import { Locked } from '#web/panel/app/locked-panel.tsx';

const FrontRooms = lazy(() => import('./entry-steps.tsx').then((rooms) => ({ default: rooms.FrontRooms })));

/** What stands before the dashboards: signing in, proving it is still you, or an office that is not ready. */
export function FrontDoor() {
  const cache = useQueryClient();
  const { gate } = useSession();
  // Before anything below asks for something: an effect would take away what it is just getting.
  useState(() => forgetPatients(cache));
  if (gate.because === 'locked') return <Locked />;
  return (
    <Suspense fallback={<LoadingScreen />}>
      <FrontRooms because={gate.because} />
    </Suspense>
  );
}
