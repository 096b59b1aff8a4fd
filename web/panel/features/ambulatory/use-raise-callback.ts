import { useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { mayWithdraw, raiseCallback } from '#contract/ambulatory/callbacks.ts';
import { call } from '#web/kit/call.ts';
import { errorMessage } from '#web/kit/error-messages.ts';
import { useShownName } from '#web/panel/features/queue/index.ts';
import { toast } from '#web/panel/ui/toasts.ts';
import { useMoveCallback, useReadAgain } from './use-callbacks.ts';
import type { PatientIds } from './use-patient-file.ts';

/** Asks for a nurse to call a patient, such as after a phone call; with an undo, unless the patient asked too. */
export function useRaiseCallback(ids: PatientIds) {
  const { t } = useLingui();
  const shownName = useShownName();
  const readAgain = useReadAgain();
  const { mutate: move } = useMoveCallback();
  return useMutation({
    mutationFn: () => call(raiseCallback, { params: ids }),
    onSuccess(callback) {
      const name = shownName(callback.patientName);
      const undo = { label: t`Undo`, run: () => move({ callback, move: 'withdraw' }) };
      toast({ title: t`${name} is on the callback list`, ...(mayWithdraw(callback) && { action: undo }) });
    },
    onError: (error) =>
      toast({ tone: 'red', title: errorMessage(error, t`The server could not be reached. Nothing was changed.`) }),
    onSettled: readAgain,
  });
}
