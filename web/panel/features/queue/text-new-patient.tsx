import { useLingui } from '@lingui/react/macro';
import { useEffect, useRef, useState, type FormEvent } from 'react';
import type { SmsCheckin } from '#contract/sms-checkin.ts';
import { Button } from '#web/panel/ui/button.tsx';
import { Dialog } from '#web/panel/ui/dialog.tsx';
import { TextArea } from '#web/panel/ui/field.tsx';
import { CheckCircleIcon } from '#web/icons/check-circle.tsx';
import { SendIcon } from '#web/icons/send.tsx';
import { PhoneInput } from '#web/panel/ui/phone-input.tsx';
import css from './dialogs.module.css';
import { TextSize } from './text-size.tsx';
import { useTooLong } from '#web/kit/too-long.ts';
import { useSendInvite } from './use-send-invite.ts';

const closeAfterMs = 2_000;
const longest = 1_400;

interface TextNewPatientProps {
  /** The number to begin with, of a known patient. */
  phone?: string;
  correcting?: SmsCheckin | undefined;
  onClose: () => void;
}

/** Texts the check-in link to a patient; with `correcting`, to the corrected number of an expected patient. */
export function TextNewPatient({ phone: knownPhone, correcting, onClose }: TextNewPatientProps) {
  const { t } = useLingui();
  const [phone, setPhone] = useState((correcting?.patientId.phone ?? knownPhone)?.replace(/^\+1/, '') ?? '');
  const [text, setText] = useState('');
  const [tried, setTried] = useState(false);
  const numberField = useRef<HTMLInputElement>(null);
  const invite = useSendInvite(phone, text, correcting);
  const { phoneError, textError, openNotice, isSameNumber, isPending, isSent } = invite;

  useEffect(() => {
    if (!isSent) return;
    const timer = setTimeout(onClose, closeAfterMs);
    return () => clearTimeout(timer);
  }, [isSent, onClose]);
  const isCorrecting = correcting !== undefined;
  useEffect(() => {
    if (!isCorrecting) return;
    numberField.current?.focus();
    // Selected, so that typing replaces it: a full field takes no further digit.
    numberField.current?.select();
  }, [isCorrecting]);
  const isAboutNumber = phoneError !== undefined;
  useEffect(() => {
    if (isAboutNumber) numberField.current?.focus();
  }, [isAboutNumber]);

  // The text may have been delivered: sending it again could text the patient twice.
  const mayBeDelivered = openNotice !== undefined && isSameNumber;
  const isComplete = phone.length === 10;
  const tooLong = useTooLong(text, longest);
  const locked = phone === '' || isSent || mayBeDelivered;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (!isComplete) numberField.current?.focus();
    else if (!locked && !isPending && tooLong === undefined) invite.send();
  };
  const footer = (
    <>
      <Button onClick={onClose}>{invite.isAnswered ? t`Close` : t`Cancel`}</Button>
      <Button
        type="submit"
        form="text-new-patient"
        variant="filled"
        icon={isSent ? CheckCircleIcon : SendIcon}
        busy={isPending}
        locked={locked}
      >
        {isSent ? t`Sent` : t`Send`}
      </Button>
    </>
  );
  return (
    <Dialog
      title={correcting ? t`Correct the number` : knownPhone ? t`Text the check-in link` : t`Text a patient`}
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
          error={tried && !isComplete ? t`Enter all ten digits of a US number.` : phoneError}
          readOnly={isPending || isSent}
          onChange={(digits) => {
            setPhone(digits);
            invite.startOver();
          }}
        />
        <TextArea
          label={t`Message (optional)`}
          hint={
            isSameNumber && !isPending && !isSent ? (
              t`If you keep this number, we’ll resend only the link.`
            ) : (
              <>
                {t`We’ll add the check-in link at the end.`}
                {text.trim() !== '' && (
                  <>
                    {' '}
                    {t`Without it:`} <TextSize text={text} />
                  </>
                )}
              </>
            )
          }
          error={tooLong ?? textError}
          value={text}
          rows={3}
          readOnly={isPending || isSent}
          onChange={(event) => {
            setText(event.target.value);
            invite.startOver();
          }}
        />
        <p role="status">{openNotice}</p>
      </form>
    </Dialog>
  );
}
