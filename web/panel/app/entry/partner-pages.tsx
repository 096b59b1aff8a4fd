import { useLingui } from '@lingui/react/macro';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { PartnerError } from '#web/panel/features/partner/partner-error.tsx';
import { LastStep } from '#web/panel/features/partner/last-step.tsx';
import { PartnerStart } from '#web/panel/features/partner/partner-start.tsx';
import { applicationQuery, brandQuery, useAreAnswersSaved } from '#web/panel/features/partner/use-partner.ts';
import { CodeForm } from '#web/panel/features/sign-in/code-form.tsx';
import { useSession } from '#web/kit/session.ts';
import { productName } from '#web/kit/title.ts';
import { LoadingScreen } from '#web/panel/app/loading-screen.tsx';
import { PartnerFrame } from './partner-frame.tsx';
import css from './registration.module.css';

const SigningPage = lazy(() =>
  import('#web/panel/features/agreement/signing-page.tsx').then((module) => ({ default: module.SigningPage })),
);

/** `/chadis`: practice info, and the code that proves its address. */
export function PartnerStartPage() {
  const { t } = useLingui();
  const navigate = useNavigate();
  const { person, gate } = useSession();
  const { name } = useSuspenseQuery(brandQuery).data;
  const { data: application } = useQuery({ ...applicationQuery(person?.id ?? ''), enabled: person !== null });
  const heading = person ? t`Registration` : t`Welcome!`;
  return (
    <PartnerFrame at={0} title={t`Registration`} heading={heading}>
      <p className={css.lead}>{t`Set up ${productName} for your practice, together with ${name}.`}</p>
      <PartnerStart
        key={person?.id}
        codeForm={(props) => <CodeForm {...props} />}
        application={application ?? null}
        onRegistered={() => void navigate({ to: '/chadis/signhipaa' })}
        onBroken={() => void navigate({ to: '/chadis/error' })}
      />
      {person === null && (
        <p className={css.other}>
          {t`Already started or already registered?`} <Link to="/">{t`Sign in`}</Link>
        </p>
      )}
      {gate.because === 'no-office' && (
        <p className={css.other}>
          <Link to="/" search={{ signUp: 'regular' }}>
            {t`Register without ${name}`}
          </Link>
        </p>
      )}
    </PartnerFrame>
  );
}

/** `/chadis/signhipaa`: the agreement. */
export function PartnerSigningPage() {
  const { t } = useLingui();
  const navigate = useNavigate();
  return (
    <PartnerFrame at={1} title={t`Registration`} heading={t`Registration`} wide>
      <Suspense fallback={<LoadingScreen />}>
        <SigningPage onBroken={() => void navigate({ to: '/chadis/error' })} />
      </Suspense>
    </PartnerFrame>
  );
}

/** `/chadis/laststep`: the practice is live. */
export function PartnerLastStepPage() {
  const { t } = useLingui();
  const navigate = useNavigate();
  return (
    <PartnerFrame at={3} title={t`Registration`}>
      <LastStep onAnother={() => void navigate({ to: '/chadis' })} onDashboard={() => void navigate({ to: '/' })} />
    </PartnerFrame>
  );
}

/** `/chadis/error`: trying again leads back to the open step. */
export function PartnerErrorPage() {
  const { t } = useLingui();
  const navigate = useNavigate();
  const { gate } = useSession();
  const isSigning = gate.to === '/chadis/signhipaa';
  const areSaved = useAreAnswersSaved();
  return (
    <PartnerFrame at={isSigning ? 1 : 0} title={t`Registration`}>
      <PartnerError
        isSaved={isSigning || areSaved}
        onAgain={() => void navigate({ to: isSigning ? '/chadis/signhipaa' : '/chadis' })}
      />
    </PartnerFrame>
  );
}
