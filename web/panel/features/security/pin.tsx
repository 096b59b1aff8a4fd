import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { pinProofSeconds } from '#contract/sign-in/pin.ts';
import type { Security } from '#contract/sign-in/second-ways.ts';
import { LockIcon } from '#web/icons/lock.tsx';
import { OfficeMoment } from '#web/kit/when.tsx';
import { SetPinForm } from '#web/panel/features/sign-in/index.ts';
import { Button } from '#web/panel/ui/button.tsx';
import { Card } from '#web/panel/ui/card.tsx';
import { Dialog } from '#web/panel/ui/dialog.tsx';
import { Row, Rows, SecondaryText } from '#web/panel/ui/rows.tsx';
import { toast } from '#web/panel/ui/toasts.ts';
import { ErrorText } from '#web/panel/ui/trouble.tsx';
import css from './security.module.css';
import { useConfirmedIdentity, waysOf } from './use-confirmed-identity.tsx';
import { useKeepSecurity, useRemovePin } from './use-security.ts';

/** The PIN that unlocks the panel for this person on this device. */
export function Pin({ security }: { security: Security }) {
  const { t } = useLingui();
  const { change, question } = useConfirmedIdentity(security);
  const [setting, setSetting] = useState(false);
  const keep = useKeepSecurity();
  const remove = useRemovePin();
  const { since, possible } = security.pin;
  const set = possible && (
    <Button onClick={() => change(() => setSetting(true), pinProofSeconds)}>
      {since === null ? t`Set a PIN` : t`Change the PIN`}
    </Button>
  );
  const onSet = (saved: Security) => {
    keep(saved);
    setSetting(false);
    toast({ title: t`Your PIN is set` });
  };
  const takeAway = () => remove.mutate(undefined, { onSuccess: () => toast({ title: t`PIN removed` }) });
  return (
    <Card className={css.part} title={t`PIN for this device`} actions={set}>
      <p>{t`A PIN unlocks the panel on this device, for you only. It doesn’t sign you in. After five wrong tries it’s removed.`}</p>
      {!possible && <SecondaryText>{t`Sign in again in this browser to set a PIN here.`}</SecondaryText>}
      {since !== null && (
        <Rows>
          <Row
            mark={<LockIcon size={20} />}
            name={t`PIN`}
            end={
              <Button size="s" aria-label={t`Remove the PIN`} busy={remove.isPending} onClick={takeAway}>
                {t`Remove`}
              </Button>
            }
          >
            <SecondaryText>
              <Trans>
                Set <OfficeMoment at={since} />
              </Trans>
            </SecondaryText>
          </Row>
        </Rows>
      )}
      <ErrorText error={remove.error} />
      {question}
      {setting && (
        <Dialog title={t`PIN for this device`} size="s" onClose={() => setSetting(false)}>
          <SetPinForm ways={waysOf(security)} onSet={onSet} />
        </Dialog>
      )}
    </Card>
  );
}
