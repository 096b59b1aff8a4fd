import { useLingui } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState, type FormEvent } from 'react';
import { addCheckin, correctCheckin, resendCheckin, type SmsCheckin } from '#contract/sms-checkin.ts';
import { call, CallError } from '#web/kit/call.ts';
import { errorMessage, refusalMessage } from '#web/kit/error-messages.ts';
import { Button } from '#web/panel/ui/button.tsx';
import { Dialog } from '#web/panel/ui/dialog.tsx';
import { TextArea } from '#web/panel/ui/field.tsx';
import { CheckCircleIcon } from '#web/icons/check-circle.tsx';
import { SendIcon } from '#web/icons/send.tsx';
import { PhoneInput } from '#web/panel/ui/phone-input.tsx';
import { toast } from '#web/panel/ui/toasts.ts';
import css from './dialogs.module.css';
import { expectedKey } from './use-expected.ts';
import { useTextOutcome } from './use-text-outcome.ts';

const closeAfterMs = 2_000;
const longest = 1_400;

/** Texts the check-in link to a new patient; with `correcting`, to the corrected number of an expected patient. */
export function TextNewPatient({ correcting, onClose }: { correcting?: SmsCheckin | undefined; onClose: () => void }) {
  const { t } = useLingui();
  const cache = useQueryClient();
  const tellOutcome = useTextOutcome();
  const [phone, setPhone] = useState(correcting?.patientId.phone.replace(/^\+1/, '') ?? '');
  const [text, setText] = useState('');
  const key = useRef(crypto.randomUUID());
  const numberField = useRef<HTMLInputElement>(null);
  // The expected patient that this dialog created: the next Send corrects their number instead of adding a patient.
  const [expecting, setExpecting] = useState(correcting);
  const isSameNumber = expecting?.patientId.phone === `+1${phone}`;

  const send = useMutation({
    mutationFn: async () => {
      const body = { phone: `+1${phone}`, text: text.trim() || undefined };
      const options = { idempotencyKey: key.current };
      const add = () => {
        if (!expecting) return call(addCheckin, { body }, options);
        const id = expecting._id;
        if (isSameNumber) return call(resendCheckin, { body: { id } }, options);
        return call(correctCheckin, { body: { ...body, id } }, options);
      };
      const added = await add();
      key.current = crypto.randomUUID();
      setExpecting(added);
      await cache.invalidateQueries({ queryKey: expectedKey });
      return tellOutcome(added._id, added.text, {
        sent: { title: t`Invite sent!`, text: t`Your SMS invite was successfully sent to the patient`, seconds: 2 },
        refused: t`Not texted`,
      });
    },
    onError: (error) => {
      if (!(error instanceof CallError) || error.status > 0) key.current = crypto.randomUUID();
      const isLimit = error instanceof CallError && /^(limited_|too_many_texts)/.test(error.code);
      // A known reason is shown at the field; general advice beside it would contradict it.
      const isReasonKnown = error instanceof CallError && error.status >= 400 && error.status < 500;
      if (isReasonKnown && !isLimit && error.code !== 'invalid_phone') return;
      toast({
        tone: 'red',
        title: t`Error`,
        text: isLimit
          ? refusalMessage(error)
          : t`We couldn't send your SMS invite, please verify the phone number and try again`,
      });
    },
  });
  const { isPending, error } = send;
  // The carrier refused the text: the patient is on the Expected list, and the number can be corrected here.
  const refused = send.data?.state === 'refused' ? send.data.words : undefined;
  const open = send.data?.state === 'open' ? send.data.words : undefined;
  const isSuccess = send.data?.state === 'sent';
  useEffect(() => {
    if (!isSuccess) return;
    const timer = setTimeout(onClose, closeAfterMs);
    return () => clearTimeout(timer);
  }, [isSuccess, onClose]);

  const whole = phone.length === 10;
  // The text may have been delivered: sending it again could text the patient twice.
  const locked = !whole || isSuccess || (open !== undefined && isSameNumber);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!locked && !isPending) send.mutate();
  };
  const changed = () => {
    if (error || send.data) send.reset();
    key.current = crypto.randomUUID();
  };
  const why = refused ?? (error instanceof CallError && error.status > 0 ? errorMessage(error, '') : undefined);
  const isAboutWords = error instanceof CallError && error.code === 'limited_own_words';
  const isAboutNumber = why !== undefined && !isAboutWords;
  useEffect(() => {
    if (isAboutNumber) numberField.current?.focus();
  }, [isAboutNumber]);
  const footer = (
    <>
      <Button onClick={onClose}>{send.isSuccess ? t`Close` : t`Cancel`}</Button>
      <Button
        type="submit"
        form="text-new-patient"
        variant="filled"
        icon={isSuccess ? CheckCircleIcon : SendIcon}
        busy={isPending}
        locked={locked}
      >
        {isSuccess ? t`Sent` : t`Send`}
      </Button>
    </>
  );
  return (
    <Dialog
      title={correcting ? t`Correct the number` : t`Text a new patient`}
      onClose={onClose}
      footer={footer}
      size="s"
    >
      <form id="text-new-patient" className={css.form} onSubmit={submit}>
        <PhoneInput
          ref={numberField}
          label={t`Mobile number`}
          autoComplete="off"
          value={phone}
          error={isAboutWords ? undefined : why}
          readOnly={isPending || isSuccess}
          onChange={(digits) => {
            setPhone(digits);
            changed();
          }}
        />
        <TextArea
          label={t`Message (optional)`}
          hint={
            isSameNumber && !isPending && !isSuccess
              ? t`To the same number, only the check-in link is sent again.`
              : t`The check-in link is added at the end.`
          }
          error={isAboutWords ? why : undefined}
          value={text}
          rows={3}
          maxLength={longest}
          readOnly={isPending || isSuccess}
          onChange={(event) => {
            setText(event.target.value);
            changed();
          }}
        />
        <p role="status">{open}</p>
      </form>
    </Dialog>
  );
}
