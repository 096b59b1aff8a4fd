import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import type { Security } from '#contract/sign-in/second-ways.ts';
import { Button } from '#web/panel/ui/button.tsx';
import { Card } from '#web/panel/ui/card.tsx';
import { ConfirmDialog, Dialog } from '#web/panel/ui/dialog.tsx';
import { CheckCircleIcon } from '#web/icons/check-circle.tsx';
import { Chip } from '#web/panel/ui/status-badge.tsx';
import { toast } from '#web/panel/ui/toasts.ts';
import { ErrorText } from '#web/panel/ui/trouble.tsx';
import { AuthenticatorSetup } from './authenticator-setup.tsx';
import { useConfirmedIdentity } from './use-confirmed-identity.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import css from './security.module.css';
import { useRemoveAuthenticator, useRenewRecoveryCodes } from './use-security.ts';
import { OfficeMoment } from '#web/kit/when.tsx';

/** The authenticator app: the second step of signing in. */
export function Authenticator({ security }: { security: Security }) {
  const { t } = useLingui();
  const { change, question } = useConfirmedIdentity(security);
  const [open, setOpen] = useState<'setup' | 'codes' | 'removing'>();
  const renew = useRenewRecoveryCodes();
  const remove = useRemoveAuthenticator();
  const close = () => setOpen(undefined);
  const { since, recoveryCodesLeft } = security.authenticator;
  const takeAway = () =>
    remove.mutate(undefined, {
      onSuccess: () => {
        close();
        toast({ title: t`Authenticator app removed` });
      },
    });
  const newCodes = () => renew.mutate(undefined, { onSuccess: () => setOpen('codes') });
  return (
    <Card className={css.part} title={t`Authenticator app`}>
      {since === null ? (
        <>
          <p>{t`A second step when you sign in with a code or Google: six digits that an app on your phone shows.`}</p>
          <div>
            <Button onClick={() => change(() => setOpen('setup'))}>{t`Set up an authenticator app`}</Button>
          </div>
        </>
      ) : (
        <>
          <p className={css.since}>
            <Chip icon={CheckCircleIcon}>{t`In use`}</Chip>
            <span>
              <Trans>
                since <OfficeMoment at={since} />
              </Trans>
            </span>
          </p>
          <p>
            <Plural
              value={recoveryCodesLeft}
              _0="No recovery code is left: make new ones."
              one="# recovery code is left."
              other="# recovery codes are left."
            />
          </p>
          <ErrorText error={renew.error} />
          <div className={css.buttons}>
            <Button busy={renew.isPending} onClick={() => change(newCodes)}>{t`New recovery codes`}</Button>
            <Button onClick={() => change(() => setOpen('setup'))}>{t`Set up another phone`}</Button>
            <Button onClick={() => change(() => setOpen('removing'))}>{t`Remove the app`}</Button>
          </div>
        </>
      )}
      {question}
      {open === 'setup' && (
        <Dialog title={t`Set up an authenticator app`} size="s" onClose={close}>
          <AuthenticatorSetup onDone={close} />
        </Dialog>
      )}
      {open === 'codes' && renew.data && (
        <Dialog title={t`New recovery codes`} size="s" onClose={close}>
          <RecoveryCodes codes={renew.data.recoveryCodes} onDone={close} />
        </Dialog>
      )}
      {open === 'removing' && (
        <ConfirmDialog
          title={t`Remove the authenticator app?`}
          confirm={t`Remove the app`}
          danger
          busy={remove.isPending}
          onConfirm={takeAway}
          onClose={close}
        >
          <p>
            {security.office?.requiresAuthenticator
              ? t`${security.office.officeName} requires one for everyone, so you’ll be asked to set it up again.`
              : t`You’ll sign in with one step only. Your recovery codes will stop working.`}
          </p>
          <ErrorText error={remove.error} />
        </ConfirmDialog>
      )}
    </Card>
  );
}
