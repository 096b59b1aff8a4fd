import { useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useEffect } from 'react';
import { forgetPatients, leave, useSession } from '#web/kit/session.ts';
import { useTitle } from '#web/kit/title.ts';
import { Button } from '#web/ui/plain/button.tsx';
import { EmptyState } from '#web/ui/plain/empty-state.tsx';
import { BuildingIcon, SignOutIcon } from '#web/ui/plain/icons.tsx';
import { LoadingScreen } from './loading-screen.tsx';

const SignInPage = lazy(() =>
  import('#web/features/sign-in/sign-in-page.tsx').then((room) => ({ default: room.SignInPage })),
);

/** What stands before the dashboards: signing in, proving it is still you, or an office that is not ready. */
export function FrontDoor() {
  const cache = useQueryClient();
  const { person, gate } = useSession();
  useEffect(() => forgetPatients(cache), [cache]);
  if (person && gate.because !== 'locked') return <NotReady />;
  return (
    <Suspense fallback={<LoadingScreen />}>
      <SignInPage />
    </Suspense>
  );
}

function NotReady() {
  const { t } = useLingui();
  const cache = useQueryClient();
  const { gate } = useSession();
  useTitle(t`Welcome`);
  const out = (
    <Button icon={SignOutIcon} onClick={() => void leave(cache)}>
      {t`Sign Out`}
    </Button>
  );
  const title =
    gate.because === 'no-office' ? t`You do not belong to a practice yet` : t`Your practice is not ready yet`;
  return (
    <main id="main">
      <EmptyState icon={BuildingIcon} title={<h1>{title}</h1>} action={out}>
        {gate.because === 'no-office'
          ? t`Ask a colleague to add you to theirs.`
          : t`The HIPAA agreement has to be signed before patients' data can be shown.`}
      </EmptyState>
    </main>
  );
}
