import { useLingui } from '@lingui/react/macro';
import { useMutation, useMutationState, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, type RefObject } from 'react';
import { askForForm } from '#contract/forms/desk.ts';
import type { QueueEntry } from '#contract/queue.ts';
import { call } from '#web/kit/call.ts';
import { errorMessage } from '#web/kit/error-messages.ts';
import { refusedMoves } from '#web/panel/features/queue/moves/refused-moves.ts';
import { refetchVisit } from '#web/panel/features/queue/visits/use-queue.ts';

/** Texts the patient a link to one missing form. It continues, and reports the outcome, when another patient is selected meanwhile. */
export function useAskForForm({ id, patientName }: QueueEntry, formType?: string, formName?: string) {
  const { t } = useLingui();
  const cache = useQueryClient();
  const messageFor = (error: unknown) =>
    `${formName === undefined ? t`The missing forms were not requested.` : t`${formName} was not requested.`} ${errorMessage(error, t`The server could not be reached. Try again.`)}`;
  const mutationKey = ['ask-for-form', id, formType ?? 'all'];
  const isShown = useIsShown();
  const { mutate, error } = useMutation({
    mutationKey,
    mutationFn: () => call(askForForm, { params: { visitId: id }, body: { formType } }),
    onSuccess: async () => {
      refusedMoves.forget(id);
      refetchVisit(cache, id);
      await cache.refetchQueries({ queryKey: ['visit', id] });
    },
    onError: (error) => {
      // Shown beside the button; in the patient's row if another patient is selected by now.
      if (!isShown.current) refusedMoves.hold(id, { name: patientName, message: messageFor(error) });
      refetchVisit(cache, id);
    },
  });
  const isSending = useMutationState({ filters: { mutationKey, status: 'pending' } }).length > 0;
  return { ask: () => isSending || mutate(), isSending, failed: error && !isSending ? messageFor(error) : null };
}

/** Whether the calling component is still mounted. */
function useIsShown(): RefObject<boolean> {
  const shown = useRef(false);
  useEffect(() => {
    shown.current = true;
    return () => void (shown.current = false);
  }, []);
  return shown;
}
