import { useLingui } from '@lingui/react/macro';
import { useRef, useState, type SubmitEvent } from 'react';
import { lockMinutesRange, type Security } from '#contract/sign-in/second-ways.ts';
import { Button } from '#web/panel/ui/button.tsx';
import { Card } from '#web/panel/ui/card.tsx';
import { TextInput } from '#web/panel/ui/field.tsx';
import { SecondaryText } from '#web/panel/ui/rows.tsx';
import { toast } from '#web/panel/ui/toasts.ts';
import { ErrorText } from '#web/panel/ui/trouble.tsx';
import { useConfirmedIdentity } from './use-confirmed-identity.tsx';
import css from './security.module.css';
import { useSetLockMinutes } from './use-security.ts';

interface LockMinutesProps {
  security: Security;
  office: NonNullable<Security['office']>;
}

/** Sets after how many idle minutes the practice's panels lock. */
export function LockMinutes({ security, office }: LockMinutesProps) {
  const { t } = useLingui();
  const { change, question } = useConfirmedIdentity(security);
  const save = useSetLockMinutes();
  const field = useRef<HTMLDivElement>(null);
  const [typed, setTyped] = useState<string>();
  const [tried, setTried] = useState(false);
  const { least, most } = lockMinutesRange;
  const shown = typed ?? String(office.lockMinutes);
  const minutes = /^\d{1,3}$/.test(shown.trim()) ? Number(shown) : NaN;
  const isValid = minutes >= least && minutes <= most;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setTried(true);
    if (!isValid) {
      field.current?.querySelector('input')?.focus();
      return;
    }
    change(() =>
      save.mutate(minutes, {
        onSuccess() {
          setTyped(undefined);
          setTried(false);
          toast({ title: t`Saved` });
        },
      }),
    );
  };
  return (
    <Card className={css.part} title={t`Automatic lock`}>
      <form className={css.lockForm} onSubmit={submit} noValidate>
        <div ref={field} className={css.minutes}>
          <TextInput
            label={t`Minutes until the panel locks`}
            type="number"
            inputMode="numeric"
            min={least}
            max={most}
            step={1}
            autoComplete="off"
            value={shown}
            hint={t`${least} to ${most} minutes`}
            error={tried && !isValid ? t`Enter a whole number from ${least} to ${most}.` : undefined}
            onChange={(event) => setTyped(event.target.value)}
          />
        </div>
        <Button type="submit" busy={save.isPending}>
          {t`Save`}
        </Button>
      </form>
      <SecondaryText>
        {t`This applies to everyone at ${office.officeName}. For people who work at several practices, the shortest time applies.`}
      </SecondaryText>
      <ErrorText error={save.error} />
      {question}
    </Card>
  );
}
