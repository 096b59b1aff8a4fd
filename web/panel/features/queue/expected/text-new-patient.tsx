import { useLingui } from '@lingui/react/macro';
import { useState, type FormEvent } from 'react';
import type { SmsCheckin } from '#contract/sms-checkin.ts';
import { Button } from '#web/panel/ui/button.tsx';
import { Dialog } from '#web/panel/ui/dialog.tsx';
import { TextArea } from '#web/panel/ui/field.tsx';
import { CheckCircleIcon } from '#web/icons/check-circle.tsx';
import { SendIcon } from '#web/icons/send.tsx';
import { PhoneInput } from '#web/panel/ui/phone-input.tsx';
import css from '#web/panel/features/queue/page/dialogs.module.css';
import { InviteText } from './invite-text.tsx';
import { useTooLong } from '#web/kit/too-long.ts';
import { useInviteFields, useInviteFocus } from './use-invite-fields.ts';
import { useSendInvite } from './use-send-invite.ts';

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
  const { phone, setPhone, text, setText, isComplete } = useInviteFields(correcting, knownPhone);
  const [tried, setTried] = useState(false);
  const invite = useSendInvite(phone, text, correcting);
  const { phoneError, textError, openNotice, isSameNumber, isPending, isSent } = invite;
  const numberField = useInviteFocus(invite, { isCorrecting: correcting !== undefined, onClose });

  // The text may have been delivered: sending it again could text the patient twice.
  const mayBeDelivered = openNotice !== undefined && isSameNumber;
  const resends = isSameNumber && !isPending && !isSent;
  const tooLong = useTooLong(text, longest);
  const locked = isSent || mayBeDelivered;
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
            resends
              ? t`If you keep this number, we’ll resend only the link.`
              : t`We’ll add the check-in link at the end.`
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
        <InviteText customText={resends ? '' : text} />
        <p role="status">{openNotice}</p>
      </form>
    </Dialog>
  );
}
