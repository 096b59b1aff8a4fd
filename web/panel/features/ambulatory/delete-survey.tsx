import { useLingui } from '@lingui/react/macro';
import type { PlannedSurvey } from '#contract/ambulatory/surveys.ts';
import { ConfirmDialog } from '#web/panel/ui/dialog.tsx';
import { toast } from '#web/panel/ui/toasts.ts';
import { ErrorText } from '#web/panel/ui/trouble.tsx';
import { useDeleteSurvey } from './use-survey-plan.ts';

/** Asks before the last day's survey is deleted. */
export function DeleteSurvey({ survey: { id, day }, onClose }: { survey: PlannedSurvey; onClose: () => void }) {
  const { t } = useLingui();
  const remove = useDeleteSurvey();
  const confirm = () =>
    remove.mutate(id, {
      onSuccess() {
        toast({ title: t`The survey of day ${day} was deleted` });
        onClose();
      },
    });
  return (
    <ConfirmDialog
      title={t`Delete the survey of day ${day}?`}
      confirm={t`Delete survey`}
      danger
      busy={remove.isPending}
      onConfirm={confirm}
      onClose={onClose}
    >
      <p>{t`Patients no longer get a survey on that day. Answers you already have are kept.`}</p>
      <ErrorText error={remove.error} />
    </ConfirmDialog>
  );
}
