import { useLingui } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState, type FormEvent } from 'react';
import { addCheckin } from '#contract/sms-checkin.ts';
import { call, CallError } from '#web/kit/call.ts';
import { Button } from '#web/ui/plain/button.tsx';
import { Dialog } from '#web/ui/plain/dialog.tsx';
import { TextArea } from '#web/ui/plain/field.tsx';
import { CheckCircleIcon, SendIcon } from '#web/ui/plain/icons.tsx';
import { PhoneInput } from '#web/ui/plain/phone-input.tsx';
import { toast } from '#web/ui/plain/toasts.ts';
import css from './dialogs.module.css';

/** Part 2 §9. */
const closeAfterMs = 2_000;
const longest = 1_400;

/** Texts the check-in link to somebody who is expected. */
export function TextNewPatient({ onClose }: { onClose: () => void }) {
  const { t } = useLingui();
  const cache = useQueryClient();
  const [phone, setPhone] = useState('');
  const [text, setText] = useState('');
  const key = useRef(crypto.randomUUID());

  const send = useMutation({
    mutationFn: () =>
      call(
        addCheckin,
        { body: { phone: `+1${phone}`, text: text.trim() || undefined } },
        { idempotencyKey: key.current },
      ),
    onSuccess: () => {
      toast({ title: t`Invite sent!`, text: t`Your SMS invite was successfully sent to the patient`, seconds: 2 });
      void cache.invalidateQueries({ queryKey: ['queue'] });
    },
    onError: (error) => {
      if (!(error instanceof CallError) || error.status > 0) key.current = crypto.randomUUID();
      toast({
        tone: 'red',
        title: t`Error`,
        text: t`We couldn't send your SMS invite, please verify the phone number and try again`,
      });
    },
  });
  const { isSuccess, isPending, error } = send;
  useEffect(() => {
    if (!isSuccess) return;
    const timer = setTimeout(onClose, closeAfterMs);
    return () => clearTimeout(timer);
  }, [isSuccess, onClose]);

  const whole = phone.length === 10;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (whole && !isPending && !isSuccess) send.mutate();
  };
  const changed = () => {
    if (error) send.reset();
    key.current = crypto.randomUUID();
  };
  const why = error instanceof CallError && error.status > 0 ? error.title : undefined;
  const footer = (
    <>
      <Button onClick={onClose}>{isSuccess ? t`Close` : t`Cancel`}</Button>
      <Button
        type="submit"
        form="text-new-patient"
        variant="filled"
        icon={isSuccess ? CheckCircleIcon : SendIcon}
        busy={isPending}
        locked={!whole || isSuccess}
      >
        {isSuccess ? t`Sent` : t`Send`}
      </Button>
    </>
  );
  return (
    <Dialog title={t`Text a new patient`} onClose={onClose} footer={footer} size="s">
      <form id="text-new-patient" className={css.form} onSubmit={submit}>
        <PhoneInput
          label={t`Mobile number`}
          autoComplete="off"
          value={phone}
          error={why}
          readOnly={isPending || isSuccess}
          onChange={(digits) => {
            setPhone(digits);
            changed();
          }}
        />
        <TextArea
          label={t`Your own words (optional)`}
          hint={t`The check-in link is added at the end.`}
          value={text}
          rows={3}
          maxLength={longest}
          readOnly={isPending || isSuccess}
          onChange={(event) => {
            setText(event.target.value);
            changed();
          }}
        />
      </form>
    </Dialog>
  );
}
