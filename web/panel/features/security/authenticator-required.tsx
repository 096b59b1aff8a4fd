import { Trans, useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { sessionQuery, useSession } from '#web/kit/session.ts';
import { useTitle } from '#web/kit/title.ts';
import { Button } from '#web/panel/ui/button.tsx';
import { Skeleton } from '#web/panel/ui/skeleton.tsx';
import { ErrorText } from '#web/panel/ui/trouble.tsx';
import { AuthenticatorSetup } from './authenticator-setup.tsx';
import { useConfirmedIdentity } from './use-confirmed-identity.tsx';
import type { Security } from '#contract/sign-in/second-ways.ts';
import { useSecurity } from './use-security.ts';

/** Shown before the panel opens if the practice requires an authenticator app and this person has none. */
export function AuthenticatorRequired() {
  const { t } = useLingui();
  const { office } = useSession();
  const security = useSecurity();
  const name = <strong>{office?.officeName}</strong>;
  useTitle(t`Set up an authenticator app`);
  return (
    <>
      <h1>{t`Set up an authenticator app`}</h1>
      <p>
        <Trans>{name} asks everyone for a second step when they sign in.</Trans>
      </p>
      {security.isPending && <Skeleton height={120} />}
      <ErrorText error={security.error} />
      {security.data && <Begin security={security.data} />}
    </>
  );
}

function Begin({ security }: { security: Security }) {
  const { t } = useLingui();
  const cache = useQueryClient();
  const { change, question } = useConfirmedIdentity(security);
  const [begun, setBegun] = useState(false);
  const enter = () => void cache.invalidateQueries({ queryKey: sessionQuery.queryKey });
  if (begun) return <AuthenticatorSetup onDone={enter} />;
  return (
    <>
      <Button variant="filled" size="l" block onClick={() => change(() => setBegun(true))}>
        {t`Begin`}
      </Button>
      {question}
    </>
  );
}
