import { useLingui } from '@lingui/react/macro';
import type { AmbuPatient } from '#contract/ambulatory/shapes.ts';
import { SendIcon } from '#web/icons/send.tsx';
import { useShownName } from '#web/panel/features/queue/index.ts';
import { Button } from '#web/panel/ui/button.tsx';
import css from './ambulatory.module.css';
import { useInvite } from './use-invite.ts';

/** Texts the invite once more, with a new link. The day of the surgery stays as it was entered. */
export function TextAgain({ patient: { patientName, userData } }: { patient: AmbuPatient }) {
  const { t } = useLingui();
  const invite = useInvite();
  const name = useShownName()(patientName);
  return (
    <>
      <Button
        size="s"
        variant="subtle"
        icon={SendIcon}
        busy={invite.isPending}
        aria-label={t`Text again: invite of ${name}`}
        onClick={() => invite.send({ patientName, phoneNumber: userData.phoneNumber })}
      >
        {t`Text again`}
      </Button>
      <span role="status" className={css.notice}>
        {invite.openNotice ?? invite.phoneError}
      </span>
    </>
  );
}
