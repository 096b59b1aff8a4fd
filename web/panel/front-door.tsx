import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useEffect } from 'react';
import { forgetPatients, useSession } from '#web/kit/session.ts';
import { frame } from './frame.tsx';
import { LoadingScreen } from './loading-screen.tsx';
import { Locked } from './locked.tsx';

const SignInPage = lazy(() =>
  import('#web/features/sign-in/sign-in-page.tsx').then((room) => ({ default: room.SignInPage })),
);
const NotReady = lazy(() => import('#web/features/sign-in/not-ready.tsx').then((room) => ({ default: room.NotReady })));

/** What stands before the dashboards: signing in, proving it is still you, or an office that is not ready. */
export function FrontDoor() {
  const cache = useQueryClient();
  const { person, gate } = useSession();
  useEffect(() => forgetPatients(cache), [cache]);
  if (gate.because === 'locked') return <Locked />;
  return (
    <Suspense fallback={<LoadingScreen />}>{person ? <NotReady {...frame} /> : <SignInPage {...frame} />}</Suspense>
  );
}
