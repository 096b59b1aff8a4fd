import { Plural, useLingui } from '@lingui/react/macro';
import { ConfirmDialog } from '#web/panel/ui/dialog.tsx';

interface TextOverduePatientsProps {
  count: number;
  onConfirm: () => void;
  onClose: () => void;
}

/** Saving the auto-invite rule would text these patients at once. */
export function TextOverduePatients({ count, onConfirm, onClose }: TextOverduePatientsProps) {
  const { t } = useLingui();
  return (
    <ConfirmDialog
      title={<Plural value={count} one="Text # patient now?" other="Text # patients now?" />}
      confirm={t`Save and text them`}
      onClose={onClose}
      onConfirm={onConfirm}
    >
      <p>
        <Plural
          value={count}
          one="# patient has already waited that long and gets a text to come in as soon as you save."
          other="# patients have already waited that long and get a text to come in as soon as you save."
        />
      </p>
    </ConfirmDialog>
  );
}
