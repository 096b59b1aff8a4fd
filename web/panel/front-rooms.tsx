import { lazy, Suspense } from 'react';
import type { Gate } from '#contract/sign-in.ts';
import { Promo } from '#web/features/demo-request/promo.tsx';
import { NotReady } from '#web/features/sign-in/not-ready.tsx';
import { SignInPage } from '#web/features/sign-in/sign-in-page.tsx';
import { frame } from './frame.tsx';
import { LoadingScreen } from './loading-screen.tsx';
import { RegistrationFrame } from './registration-frame.tsx';
import { RegistrationSteps } from './registration-steps.tsx';

const PaymentsQuestion = lazy(() =>
  import('#web/features/payments/payments-question.tsx').then((room) => ({ default: room.PaymentsQuestion })),
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
  return <NotReady {...frame} />;
}
