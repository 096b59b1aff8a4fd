import { useLingui } from '@lingui/react/macro';
import { useRef, useState, type FormEvent } from 'react';
import { longestText } from '#contract/sms.ts';
import { SendIcon } from '#web/icons/send.tsx';
import { Button } from '#web/panel/ui/button.tsx';
import { Card } from '#web/panel/ui/card.tsx';
import { PhoneInput } from '#web/panel/ui/phone-input.tsx';
import { MessageField } from './message-field.tsx';
import { newRow, problemsOf, toDeliveryOptions } from './rows-draft.ts';
import css from './sms.module.css';
import { useSend } from './use-sms.ts';

/** Texts one number, now. */
export function SingleForm({ defaultText }: { defaultText: string }) {
  const { t } = useLingui();
  const [message, setMessage] = useState(defaultText);
  const [row, setRow] = useState(newRow);
  const [tried, setTried] = useState(false);
  const phoneField = useRef<HTMLInputElement>(null);
  const send = useSend();
  const isBadPhone = problemsOf(row, { timeZone: undefined, now: 0 }).phone;
  const isEmpty = message.trim() === '';

  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (isBadPhone) phoneField.current?.focus();
    if (isBadPhone || isEmpty || message.length > longestText || send.isPending) return;
    const deliveryOptions = toDeliveryOptions([row], undefined);
    send.mutate({ message, deliveryOptions }, { onSuccess: () => startOver() });
  };
  const startOver = () => {
    setRow(newRow());
    setTried(false);
  };
  return (
    <Card>
      <form className={css.form} onSubmit={submit} noValidate>
        <MessageField
          value={message}
          onChange={setMessage}
          defaultText={defaultText}
          error={tried && isEmpty ? t`Please write a message first.` : undefined}
        />
        <PhoneInput
          ref={phoneField}
          label={t`Phone number`}
          autoComplete="off"
          value={row.phone}
          error={tried && isBadPhone ? t`Invalid phone number` : undefined}
          onChange={(phone) => setRow({ ...row, phone })}
        />
        <Button type="submit" variant="filled" icon={SendIcon} busy={send.isPending} block size="l">
          {t`Send SMS`}
        </Button>
      </form>
    </Card>
  );
}
