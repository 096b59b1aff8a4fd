import { useLingui } from '@lingui/react/macro';
import { useEffect, useState, type FormEvent } from 'react';
import { CheckCircleIcon } from '#web/icons/check-circle.tsx';
import { SendIcon } from '#web/icons/send.tsx';
import { Button } from '#web/panel/ui/button.tsx';
import { Dialog } from '#web/panel/ui/dialog.tsx';
import css from './ambulatory.module.css';
import { InviteFields, useInviteDraft } from './invite-fields.tsx';
import { useInvite } from './use-invite.ts';

const closeAfterMs = 2_000;

/** Texts a patient the link to the daily surveys. The dialog closes two seconds after the text was sent. */
export function InvitePatient({ onClose }: { onClose: () => void }) {
  const { t } = useLingui();
  const draft = useInviteDraft();
  const [tried, setTried] = useState(false);
  const invite = useInvite();
  const { isSent, isPending, openNotice } = invite;
  const { hasName, phoneNumber, patientName, episodeDate, language } = draft;
  const isFixed = isPending || isSent || openNotice !== undefined;

  useEffect(() => {
    if (!isSent) return;
    const timer = setTimeout(onClose, closeAfterMs);
    return () => clearTimeout(timer);
  }, [isSent, onClose]);

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setTried(true);
    // The name is the first field; a number that is not complete locks Send.
    if (!hasName) event.currentTarget.querySelector('input')?.focus();
    if (!hasName || !phoneNumber || isFixed) return;
    invite.send({ patientName: patientName.trim(), phoneNumber, episodeDate, ...(language && { language }) });
  };
  return (
    <Dialog
      title={t`Invite Patient`}
      onClose={onClose}
      size="s"
      footer={
        <>
          <Button onClick={onClose}>{isFixed && !isPending ? t`Close` : t`Cancel`}</Button>
          <Button
            type="submit"
            form="invite-patient"
            variant="filled"
            icon={isSent ? CheckCircleIcon : SendIcon}
            busy={isPending}
            locked={phoneNumber === null || isFixed}
          >
            {isSent ? t`Sent` : t`Send`}
          </Button>
        </>
      }
    >
      <form id="invite-patient" className={css.form} noValidate onSubmit={submit}>
        <InviteFields
          draft={draft}
          isFixed={isFixed}
          lacksName={tried && !hasName}
          phoneError={invite.phoneError}
          onPhone={invite.startOver}
        />
        <p role="status">{openNotice}</p>
      </form>
    </Dialog>
  );
}
