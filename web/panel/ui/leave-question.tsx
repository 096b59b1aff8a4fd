import { useLingui } from '@lingui/react/macro';
import { useBlocker } from '@tanstack/react-router';
import { ConfirmDialog } from './dialog.tsx';

interface LeaveQuestionProps {
  unsaved: boolean;
  lost: string;
  /** Called when the person discards it by leaving within the panel. */
  onDiscard?: () => void;
}

/** Asks before the page is left, reloaded or closed while something is unsaved. `lost` says what would be lost, in a sentence. */
export function LeaveQuestion({ unsaved, lost, onDiscard }: LeaveQuestionProps) {
  const { t } = useLingui();
  const blocker = useBlocker({ shouldBlockFn: () => unsaved, enableBeforeUnload: unsaved, withResolver: true });
  if (blocker.status !== 'blocked') return null;
  return (
    <ConfirmDialog
      title={t`Discard unsaved changes?`}
      confirm={t`Discard`}
      keep={t`Keep editing`}
      danger
      onConfirm={() => {
        onDiscard?.();
        blocker.proceed();
      }}
      onClose={blocker.reset}
    >
      {lost}
    </ConfirmDialog>
  );
}
