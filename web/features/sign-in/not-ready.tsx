import { Trans, useLingui } from '@lingui/react/macro';
import { useEffect, type ReactNode } from 'react';
import { formatPhone } from '#web/kit/format.tsx';
import { switchOffice, useSession } from '#web/kit/session.ts';
import { productName, useTitle } from '#web/kit/title.ts';
import { Button } from '#web/ui/plain/button.tsx';
import { BuildingIcon } from '#web/ui/plain/icons.tsx';
import css from './form.module.css';
import { FrontPage, type Frame } from './front-page.tsx';
import { SignOutButton } from './sign-out-button.tsx';

/** Signed in, and the panel cannot be entered yet: says why, what can be done, and how to leave. */
export function NotReady(frame: Frame) {
  const { gate } = useSession();
  return (
    <FrontPage {...frame}>
      {gate.because === 'choose-office' && <ChooseOffice />}
      {gate.because === 'no-office' && <Newcomer />}
      {gate.because === 'agreement-missing' && <AgreementMissing />}
    </FrontPage>
  );
}

function Newcomer() {
  const { t } = useLingui();
  const { person } = useSession();
  const signedInAs = <SignedInAs>{person?.email ?? formatPhone(person?.phone ?? '')}</SignedInAs>;
  useTitle(t`Registration`);
  return (
    <>
      <h1>{t`Registration`}</h1>
      <p>
        <Trans>No practice is registered under {signedInAs} yet.</Trans>
      </p>
      <p className={css.lead}>
        {t`Registering a practice here comes with the next release of ${productName}. If your practice uses ${productName} already, sign out and sign in with the email address or mobile number it knows you by.`}
      </p>
      <SignOutButton />
    </>
  );
}

function AgreementMissing() {
  const { t } = useLingui();
  const { office, offices } = useSession();
  const name = <SignedInAs>{office?.officeName}</SignedInAs>;
  useTitle(t`Registration`);
  return (
    <>
      <h1>{t`Registration`}</h1>
      <p>
        <Trans>The HIPAA agreement of {name} is not signed yet.</Trans>
      </p>
      <p className={css.lead}>
        {t`Until it is, no patient's data can be shown. Signing it here comes with the next release of ${productName}.`}
      </p>
      {offices.length > 1 && <Offices />}
      <SignOutButton />
    </>
  );
}

function ChooseOffice() {
  const { t } = useLingui();
  const { offices } = useSession();
  const only = offices.length === 1 ? offices[0] : undefined;
  useTitle(t`Choose your practice`);
  useEffect(() => {
    if (only) switchOffice(only.id);
  }, [only]);
  return (
    <>
      <h1>{t`Choose your practice`}</h1>
      <p className={css.lead}>{t`The practice this tab showed before is not one of yours.`}</p>
      <Offices />
      <SignOutButton />
    </>
  );
}

function Offices() {
  const { office: shown, offices } = useSession();
  return offices
    .filter(({ id }) => id !== shown?.id)
    .map(({ id, officeName }) => (
      <Button key={id} size="l" block icon={BuildingIcon} onClick={() => switchOffice(id)}>
        {officeName}
      </Button>
    ));
}

function SignedInAs({ children }: { children: ReactNode }) {
  return (
    <strong className={css.sentTo}>
      <bdi>{children}</bdi>
    </strong>
  );
}
