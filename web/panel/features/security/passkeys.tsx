import { Trans, useLingui } from '@lingui/react/macro';
import { useState, type FormEvent } from 'react';
import type { Passkey, Security } from '#contract/sign-in/second-ways.ts';
import { hasPasskeys } from '#web/kit/passkeys.ts';
import { Button } from '#web/panel/ui/button.tsx';
import { Card } from '#web/panel/ui/card.tsx';
import { ConfirmDialog, Dialog } from '#web/panel/ui/dialog.tsx';
import { TextInput } from '#web/panel/ui/field.tsx';
import { KeyIcon } from '#web/icons/key.tsx';
import { PlusIcon } from '#web/icons/plus.tsx';
import { Row, Rows, SecondaryText } from '#web/panel/ui/rows.tsx';
import { toast } from '#web/panel/ui/toasts.ts';
import { ErrorText } from '#web/panel/ui/trouble.tsx';
import { useConfirmedIdentity } from './use-confirmed-identity.tsx';
import css from './security.module.css';
import { useAddPasskey, useRemovePasskey } from './use-security.ts';
import { OfficeMoment } from '#web/kit/when.tsx';

/** This person's passkeys, for signing in and unlocking. */
export function Passkeys({ security }: { security: Security }) {
  const { t } = useLingui();
  const { change, question } = useConfirmedIdentity(security);
  const [naming, setNaming] = useState(false);
  const [removing, setRemoving] = useState<Passkey>();
  const remove = useRemovePasskey();
  const add = hasPasskeys() && (
    <Button icon={PlusIcon} onClick={() => change(() => setNaming(true))}>
      {t`Add a passkey`}
    </Button>
  );
  const takeAway = ({ id, name }: Passkey) =>
    remove.mutate(id, {
      onSuccess: () => {
        setRemoving(undefined);
        toast({ title: t`${name} was removed` });
      },
    });
  return (
    <Card className={css.part} title={t`Passkeys`} actions={add}>
      <p>{t`A passkey signs you in and unlocks the panel with your fingerprint, your face or your device’s PIN. No code to type.`}</p>
      {!hasPasskeys() && <SecondaryText>{t`This browser or address cannot use passkeys.`}</SecondaryText>}
      {security.passkeys.length > 0 && (
        <Rows>
          {security.passkeys.map((passkey) => (
            <Row
              key={passkey.id}
              mark={<KeyIcon size={20} />}
              name={<bdi>{passkey.name}</bdi>}
              end={
                <Button
                  size="s"
                  aria-label={t`Remove ${passkey.name}`}
                  onClick={() => change(() => setRemoving(passkey))}
                >
                  {t`Remove`}
                </Button>
              }
            >
              <SecondaryText>
                <Trans>
                  Added <OfficeMoment at={passkey.createdAt} />
                </Trans>
                {' · '}
                {passkey.lastUsedAt === null ? (
                  t`not used yet`
                ) : (
                  <Trans>
                    last used <OfficeMoment at={passkey.lastUsedAt} />
                  </Trans>
                )}
              </SecondaryText>
            </Row>
          ))}
        </Rows>
      )}
      {question}
      {naming && <AddPasskey onClose={() => setNaming(false)} />}
      {removing && (
        <ConfirmDialog
          title={t`Remove the passkey ${removing.name}?`}
          confirm={t`Remove`}
          danger
          busy={remove.isPending}
          onConfirm={() => takeAway(removing)}
          onClose={() => setRemoving(undefined)}
        >
          <p>{t`It can no longer be used to sign in.`}</p>
          <ErrorText error={remove.error} />
        </ConfirmDialog>
      )}
    </Card>
  );
}

function AddPasskey({ onClose }: { onClose: () => void }) {
  const { t } = useLingui();
  const [name, setName] = useState('');
  const add = useAddPasskey();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (add.isPending) return;
    add.mutate(name, {
      onSuccess: (added) => {
        if (!added) return;
        toast({ title: t`Your passkey is ready` });
        onClose();
      },
    });
  };
  const already = add.error?.name === 'InvalidStateError';
  const calledOff = add.isSuccess && add.data === undefined;
  return (
    <Dialog title={t`Add a passkey`} size="s" onClose={onClose}>
      <form className={css.form} noValidate onSubmit={submit}>
        <TextInput
          label={t`Name`}
          hint={t`A name you’ll recognize, such as “my phone”.`}
          name="passkey-name"
          maxLength={60}
          autoComplete="off"
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        {calledOff && <p role="status">{t`Nothing was added. Try again when you are ready.`}</p>}
        {already ? (
          <p role="alert">{t`This device already has a passkey for your account.`}</p>
        ) : (
          <ErrorText error={add.error} />
        )}
        <Button type="submit" variant="filled" block icon={KeyIcon} busy={add.isPending}>
          {t`Continue`}
        </Button>
      </form>
    </Dialog>
  );
}
