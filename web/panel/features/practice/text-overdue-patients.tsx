import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import type { AutoInviteFrom } from '#contract/practice/office.ts';
import { Button } from '#web/panel/ui/button.tsx';
import { Dialog } from '#web/panel/ui/dialog.tsx';

interface TextOverduePatientsProps {
  /** How many patients the new rule would text at once. */
  patients: number;
  /** The minutes they have waited already. */
  minutes: number;
  onAnswer: (from: AutoInviteFrom) => void;
  onClose: () => void;
}

/** Asks before auto-invite texts patients at once: text them now, or start with those who arrive from now on. */
export function TextOverduePatients({ patients, minutes, onAnswer, onClose }: TextOverduePatientsProps) {
  const { t } = useLingui();
  const waiting = plural(patients, { one: '# patient is already waiting', other: '# patients are already waiting' });
  const people = plural(patients, { one: '# patient has waited', other: '# patients have waited' });
  const time = plural(minutes, { one: '# minute', other: '# minutes' });
  const answers = (
    <>
      <Button data-autofocus onClick={() => onAnswer('new-arrivals')}>
        {t`Start with new arrivals`}
      </Button>
      <Button variant="filled" onClick={() => onAnswer('waiting')}>
        {t`Text them now`}
      </Button>
    </>
  );
  return (
    <Dialog
      size="s"
      role="alertdialog"
      title={minutes === 0 ? waiting : t`${people} longer than ${time}`}
      onClose={onClose}
      footer={answers}
    >
      <p>{t`They can get the text to come in as soon as you save. If you start with new arrivals, invite them yourself.`}</p>
    </Dialog>
  );
}
