import { useLingui } from '@lingui/react/macro';
import type { Security } from '#contract/sign-in/second-ways.ts';
import { Card } from '#web/panel/ui/card.tsx';
import { Checkbox } from '#web/panel/ui/field.tsx';
import { SecondaryText } from '#web/panel/ui/rows.tsx';
import { toast } from '#web/panel/ui/toasts.ts';
import { ErrorText } from '#web/panel/ui/trouble.tsx';
import { useConfirmedIdentity } from './use-confirmed-identity.tsx';
import css from './security.module.css';
import { useRequireAuthenticator } from './use-security.ts';

interface OfficeRuleProps {
  security: Security;
  office: NonNullable<Security['office']>;
}

/** The switch that requires an authenticator app from everyone at the practice. */
export function AuthenticatorRule({ security, office }: OfficeRuleProps) {
  const { t } = useLingui();
  const { change, question } = useConfirmedIdentity(security);
  const require = useRequireAuthenticator();
  const hasApp = security.authenticator.since !== null;
  const shown = require.isPending ? require.variables : office.requiresAuthenticator;
  const choose = (required: boolean) =>
    change(() => require.mutate(required, { onSuccess: () => toast({ title: t`Saved` }) }));
  return (
    <Card className={css.part} title={<bdi>{office.officeName}</bdi>}>
      <Checkbox
        label={t`Require an authenticator app for everyone`}
        checked={shown}
        disabled={!hasApp && !office.requiresAuthenticator}
        onChange={(event) => choose(event.target.checked)}
      />
      <SecondaryText>
        {hasApp || office.requiresAuthenticator
          ? t`Anyone without one has to set it up before they can use the panel.`
          : t`Set one up for yourself first.`}
      </SecondaryText>
      <ErrorText error={require.error} />
      {question}
    </Card>
  );
}
