import { useLingui } from '@lingui/react/macro';
import { WarningIcon } from '#web/icons/warning.tsx';
import message from '#web/questionnaire/ui/message.module.css';

/** A new practice that is not verified yet: the patient decides what to share with it. */
export function NotConfirmed() {
  const { t } = useLingui();
  return (
    <p className={message.amber} role="note">
      <WarningIcon />
      <span>{t`This practice is new here and not confirmed yet. Check in only if you are there now or have an appointment.`}</span>
    </p>
  );
}
