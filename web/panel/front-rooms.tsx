import { useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import type { Gate } from '#contract/sign-in.ts';
import { FrontPage } from '#web/features/sign-in/front-page.tsx';
import { ProveIt } from '#web/features/sign-in/prove-it.tsx';
import { SignInPage } from '#web/features/sign-in/sign-in-page.tsx';
import { SignOutButton } from '#web/features/sign-in/sign-out-button.tsx';
import { ChooseOffice } from '#web/features/team/choose-office.tsx';
import { sessionQuery } from '#web/kit/session.ts';
import { FrontFoot } from './front-foot.tsx';
import { frame } from './frame.tsx';
import { LoadingScreen } from './loading-screen.tsx';
import { RegistrationFrame } from './registration-frame.tsx';
import { RegistrationSteps } from './registration-steps.tsx';

const PaymentsQuestion = lazy(() =>
  import('#web/features/payments/payments-question.tsx').then((room) => ({ default: room.PaymentsQuestion })),
);

const SetupFirst = lazy(() =>
  import('#web/features/security/setup-first.tsx').then((room) => ({ default: room.SetupFirst })),
);

const PracticeForm = lazy(() =>
  import('#web/features/registration/practice-form.tsx').then((room) => ({ default: room.PracticeForm })),
);

const SigningPage = lazy(() =>
  import('#web/features/agreement/signing-page.tsx').then((room) => ({ default: room.SigningPage })),
);

/** One room for each branch of the gate that leads to `/`. */
export function FrontRooms({ because }: { because: Gate['because'] }) {
  if (because === 'signed-out')
    return <SignInPage {...frame} aside={<RegistrationSteps at={null} />} footer={<FrontFoot />} />;
  if (because === 'payments-question')
    return (
      <RegistrationFrame at={2}>
        <Suspense fallback={<LoadingScreen />}>
          <PaymentsQuestion />
        </Suspense>
      </RegistrationFrame>
    );
  if (because === 'authenticator-missing')
    return (
      <FrontPage {...frame}>
        <Suspense fallback={<LoadingScreen />}>
          <SetupFirst prove={(ways, onProved) => <ProveIt ways={ways} onProved={onProved} />} />
        </Suspense>
        <SignOutButton />
      </FrontPage>
    );
  if (because === 'no-office') return <Register />;
  if (because === 'agreement-missing')
    return (
      <RegistrationFrame at={1} wide>
        <Suspense fallback={<LoadingScreen />}>
          <SigningPage />
        </Suspense>
      </RegistrationFrame>
    );
  return (
    <FrontPage {...frame}>
      <ChooseOffice />
      <SignOutButton />
    </FrontPage>
  );
}

/** The first step: the session then knows the office, and the gate leads on to its agreement. */
function Register() {
  const { t } = useLingui();
  const cache = useQueryClient();
  return (
    <RegistrationFrame at={0} wide lead={t`Tell us about your practice. It takes about five minutes.`}>
      <Suspense fallback={<LoadingScreen />}>
        <PracticeForm onRegistered={() => void cache.invalidateQueries({ queryKey: sessionQuery.queryKey })} />
      </Suspense>
    </RegistrationFrame>
  );
}
