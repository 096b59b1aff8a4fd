import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import type { Gate } from '#contract/sign-in.ts';
import { Promo } from '#web/features/demo-request/promo.tsx';
import { NotReady } from '#web/features/sign-in/not-ready.tsx';
import { SignInPage } from '#web/features/sign-in/sign-in-page.tsx';
import { sessionQuery } from '#web/kit/session.ts';
import { frame } from './frame.tsx';
import { LoadingScreen } from './loading-screen.tsx';
import { RegistrationFrame } from './registration-frame.tsx';
import { RegistrationSteps } from './registration-steps.tsx';

const PaymentsQuestion = lazy(() =>
  import('#web/features/payments/payments-question.tsx').then((room) => ({ default: room.PaymentsQuestion })),
);

const PracticeForm = lazy(() =>
  import('#web/features/registration/practice-form.tsx').then((room) => ({ default: room.PracticeForm })),
);

/** One room for each branch of the gate that leads to `/`. */
export function FrontRooms({ because }: { because: Gate['because'] }) {
  if (because === 'signed-out')
    return <SignInPage {...frame} aside={<RegistrationSteps at={null} />} footer={<Promo />} />;
  if (because === 'payments-question')
    return (
      <RegistrationFrame at={2}>
        <Suspense fallback={<LoadingScreen />}>
          <PaymentsQuestion />
        </Suspense>
      </RegistrationFrame>
    );
  if (because === 'no-office') return <Register />;
  return <NotReady {...frame} />;
}

/** The first step: the session then knows the office, and the gate leads on to its agreement. */
function Register() {
  const cache = useQueryClient();
  return (
    <RegistrationFrame at={0} wide>
      <Suspense fallback={<LoadingScreen />}>
        <PracticeForm onRegistered={() => void cache.invalidateQueries({ queryKey: sessionQuery.queryKey })} />
      </Suspense>
    </RegistrationFrame>
  );
}
