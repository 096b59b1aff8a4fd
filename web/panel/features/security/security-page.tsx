import { Trans, useLingui } from '@lingui/react/macro';
import { Button } from '#web/panel/ui/button.tsx';
import { Card } from '#web/panel/ui/card.tsx';
import { EmptyState } from '#web/panel/ui/empty-state.tsx';
import { WarningIcon } from '#web/icons/warning.tsx';
import { Skeleton } from '#web/panel/ui/skeleton.tsx';
import { Authenticator } from './authenticator.tsx';
import { Devices } from './devices.tsx';
import { LockMinutes } from './lock-minutes.tsx';
import { AuthenticatorRule } from './authenticator-rule.tsx';
import { Passkeys } from './passkeys.tsx';
import type { RenderIdentityCheck } from './use-confirmed-identity.tsx';
import { useSecurity } from './use-security.ts';
import { errorMessage } from '#web/kit/error-messages.ts';

/** Sign-in methods, devices and the practice's rules. `prove` renders the identity check that sensitive changes need. */
export function SecurityPage({ prove }: { prove: RenderIdentityCheck }) {
  const { t } = useLingui();
  const security = useSecurity();
  if (security.isPending)
    return [160, 120, 140].map((height) => (
      <Card key={height}>
        <Skeleton height={height} />
      </Card>
    ));
  if (!security.data)
    return (
      <EmptyState
        icon={WarningIcon}
        title={t`The settings could not be loaded`}
        action={
          <Button busy={security.isFetching} onClick={() => void security.refetch()}>
            {t`Try again`}
          </Button>
        }
      >
        {errorMessage(security.error, t`The server could not be reached.`)}
      </EmptyState>
    );
  const { office, google } = security.data;
  const account = <strong>{google}</strong>;
  return (
    <>
      <Devices />
      <Passkeys security={security.data} prove={prove} />
      <Authenticator security={security.data} prove={prove} />
      {google !== null && (
        <Card title="Google">
          <p>
            <Trans>The Google account {account} signs you in.</Trans>
          </p>
        </Card>
      )}
      {office && <LockMinutes security={security.data} office={office} prove={prove} />}
      {office && <AuthenticatorRule security={security.data} office={office} prove={prove} />}
    </>
  );
}
