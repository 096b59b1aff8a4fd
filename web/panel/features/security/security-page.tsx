import { Trans, useLingui } from '@lingui/react/macro';
import { Card } from '#web/panel/ui/card.tsx';
import { LoadError } from '#web/panel/ui/load-error.tsx';
import { Skeleton } from '#web/panel/ui/skeleton.tsx';
import { Authenticator } from './authenticator.tsx';
import { Devices } from './devices.tsx';
import { LockMinutes } from './lock-minutes.tsx';
import { AuthenticatorRule } from './authenticator-rule.tsx';
import { Passkeys } from './passkeys.tsx';
import { Pin } from './pin.tsx';
import { useSecurity } from './use-security.ts';

/** Sign-in methods, devices and the practice's rules. */
export function SecurityPage() {
  const { t } = useLingui();
  const security = useSecurity();
  if (security.isPending)
    return [160, 120, 140].map((height) => (
      <Card key={height}>
        <Skeleton height={height} />
      </Card>
    ));
  if (!security.data) return <LoadError title={t`The settings could not be loaded`} query={security} />;
  const { office, google } = security.data;
  const account = <strong>{google}</strong>;
  return (
    <>
      <Devices />
      <Pin security={security.data} />
      <Passkeys security={security.data} />
      <Authenticator security={security.data} />
      {google !== null && (
        <Card title="Google">
          <p>
            <Trans>The Google account {account} signs you in.</Trans>
          </p>
        </Card>
      )}
      {office && <LockMinutes security={security.data} office={office} />}
      {office && <AuthenticatorRule security={security.data} office={office} />}
    </>
  );
}
