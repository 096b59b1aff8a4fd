import { useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import type { Gate } from '#contract/sign-in/gate.ts';
import { FrontPage } from '#web/panel/features/sign-in/front-page.tsx';
import { SignOutButton } from '#web/panel/features/sign-in/sign-out-button.tsx';
import { ChooseOffice } from '#web/panel/features/team/choose-office.tsx';
import { InvitationDeclined, JoinFromList } from '#web/panel/features/team/invitation.tsx';
import { sessionQuery, useSession } from '#web/kit/session.ts';
import { Button } from '#web/panel/ui/button.tsx';
import { ArrowLeftIcon } from '#web/icons/arrow-left.tsx';
import { PlusIcon } from '#web/icons/plus.tsx';
import { entryFrame } from './entry-frame.tsx';
import { LoadingScreen } from '#web/panel/app/loading-screen.tsx';
import { RegistrationFrame } from './registration-frame.tsx';
import { WelcomePage } from './welcome-page.tsx';

const PaymentsQuestion = lazy(() =>
  import('#web/panel/features/merchant/payments-question.tsx').then((page) => ({ default: page.PaymentsQuestion })),
);

const AuthenticatorRequired = lazy(() =>
  import('#web/panel/features/security/authenticator-required.tsx').then((page) => ({
    default: page.AuthenticatorRequired,
  })),
);

const PracticeForm = lazy(() =>
  import('#web/panel/features/registration/practice-form.tsx').then((page) => ({ default: page.PracticeForm })),
);

const SigningPage = lazy(() =>
  import('#web/panel/features/agreement/signing-page.tsx').then((page) => ({ default: page.SigningPage })),
);

const CorrectDetails = lazy(() =>
  import('#web/panel/features/practice/details-page.tsx').then((page) => ({ default: page.CorrectDetails })),
);

/** Shows the step for each branch of the gate that leads to `/`. */
export function EntrySteps({ because }: { because: Gate['because'] }) {
  if (because === 'signed-out') return <WelcomePage />;
  if (because === 'payments-question') return <AskForPayments />;
  if (because === 'authenticator-missing')
    return (
      <FrontPage {...entryFrame}>
        <Suspense fallback={<LoadingScreen />}>
          <AuthenticatorRequired />
        </Suspense>
        <SignOutButton />
      </FrontPage>
    );
  if (because === 'no-office') return <JoinOrRegister />;
  if (because === 'agreement-missing') return <SignOrCorrect />;
  return (
    <FrontPage {...entryFrame}>
      <ChooseOffice />
      <SignOutButton />
    </FrontPage>
  );
}

/** The question between the second and the third step. */
function AskForPayments() {
  const { t } = useLingui();
  return (
    <RegistrationFrame at={1.5} heading={t`Payments Feature`}>
      <Suspense fallback={<LoadingScreen />}>
        <PaymentsQuestion />
      </Suspense>
    </RegistrationFrame>
  );
}

/** The second step, with a button back to the details of the first. */
function SignOrCorrect() {
  const { t } = useLingui();
  const [correcting, setCorrecting] = useState(false);
  if (!correcting)
    return (
      <RegistrationFrame at={1} wide withPromo={false}>
        <Suspense fallback={<LoadingScreen />}>
          <SigningPage onCorrect={() => setCorrecting(true)} />
        </Suspense>
      </RegistrationFrame>
    );
  return (
    <RegistrationFrame
      at={0}
      wide
      lead={t`The agreement will use these details. If one is waiting for a signature, we’ll replace it.`}
    >
      <div>
        <Button variant="subtle" icon={ArrowLeftIcon} onClick={() => setCorrecting(false)}>
          {t`Back to signing`}
        </Button>
      </div>
      <Suspense fallback={<LoadingScreen />}>
        <CorrectDetails onDone={() => setCorrecting(false)} />
      </Suspense>
    </RegistrationFrame>
  );
}

const route = getRouteApi('/');

/** A new person with open invitations sees them first and can register their own practice instead. The address holds that choice. */
function JoinOrRegister() {
  const { t } = useLingui();
  const navigate = useNavigate();
  const { invitations } = useSession();
  const { signUp } = route.useSearch();
  const [declined, setDeclined] = useState<string>();
  if (declined !== undefined)
    return (
      <FrontPage {...entryFrame}>
        <InvitationDeclined officeName={declined} />
      </FrontPage>
    );
  if (invitations.length === 0 || signUp === 'regular') return <Register />;
  return (
    <FrontPage {...entryFrame}>
      <JoinFromList invitations={invitations} onDeclined={setDeclined}>
        <Button
          size="l"
          block
          icon={PlusIcon}
          onClick={() => void navigate({ to: '/', search: { signUp: 'regular' } })}
        >
          {t`Register my own practice instead`}
        </Button>
      </JoinFromList>
      <SignOutButton />
    </FrontPage>
  );
}

/** The first step. After it the session has the office, and the gate leads to its agreement. */
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
