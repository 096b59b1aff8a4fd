import { useLingui } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { withdrawInvite } from '#contract/ambulatory/patients.ts';
import type { AmbuPatient } from '#contract/ambulatory/shapes.ts';
import { TrashIcon } from '#web/icons/trash.tsx';
import { call } from '#web/kit/call.ts';
import { useShownName } from '#web/panel/features/queue/index.ts';
import { Button } from '#web/panel/ui/button.tsx';
import { ConfirmDialog } from '#web/panel/ui/dialog.tsx';
import { toast } from '#web/panel/ui/toasts.ts';
import { ErrorText } from '#web/panel/ui/trouble.tsx';
import { patientsKey } from './use-patients.ts';

/** Takes an invite back after a question: the link that was texted ends at once. */
export function WithdrawInvite({ patient }: { patient: AmbuPatient }) {
  const { t } = useLingui();
  const shownName = useShownName();
  const cache = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const name = shownName(patient.patientName);
  const withdraw = useMutation({
    mutationFn: () => call(withdrawInvite, { params: { phoneNumber: patient.userData.phoneNumber } }),
    onSuccess: () => toast({ title: t`The invite of ${name} was withdrawn` }),
    onSettled: () => cache.invalidateQueries({ queryKey: patientsKey }),
  });
  return (
    <>
      <Button
        size="s"
        variant="subtle"
        icon={TrashIcon}
        aria-haspopup="dialog"
        aria-label={t`Withdraw the invite of ${name}`}
        onClick={() => setAsking(true)}
      >
        {t`Withdraw`}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={t`Withdraw the invite of ${name}?`}
          confirm={t`Withdraw invite`}
          danger
          busy={withdraw.isPending}
          onConfirm={() => withdraw.mutate()}
          onClose={() => setAsking(false)}
        >
          <p>{t`The link in the text stops working, and the patient gets no surveys.`}</p>
          <ErrorText error={withdraw.error} />
        </ConfirmDialog>
      )}
    </>
  );
}
