import { useLingui } from '@lingui/react/macro';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { moveVisit } from '#contract/queue.ts';
import { listExpected, resendCheckin, type SmsCheckin } from '#contract/sms-checkin.ts';
import { call } from '#web/kit/call.ts';
import { errorMessage } from '#web/kit/error-messages.ts';
import { pollMs } from '#web/kit/poll.ts';
import { useRefetchOnHints } from '#web/kit/refetch-after-hint.ts';
import { useSession } from '#web/kit/session.ts';
import { dismissToast, toast } from '#web/panel/ui/toasts.ts';
import { useShownPhone } from '#web/panel/features/queue/privacy.tsx';
import { forgetUndo, rememberUndo, toastStep } from '#web/panel/features/queue/moves/undo.ts';
import { useTextOutcome } from '#web/panel/features/queue/texting/use-text-outcome.ts';

export const expectedKey = ['expected'] as const;

/** Patients texted today who have not arrived. A separate call keeps the queue's response small. */
export function useExpected(today: string) {
  const officeId = useSession().office?.id ?? '';
  const queryKey = [...expectedKey, officeId, today];
  const list = useQuery({
    queryKey,
    queryFn: ({ signal }) => call(listExpected, { params: { officeId } }, { signal }),
    refetchInterval: pollMs,
    enabled: officeId !== '',
  });
  useRefetchOnHints(
    queryKey,
    ({ type }) => type === 'checkin' || type === 'message' || type === 'refetch' || type === 'opened',
  );
  return list.data ?? [];
}

/** Removes an expected patient; Undo, U and Ctrl+Z restore them. */
export function useRemoveExpected() {
  const { t } = useLingui();
  const cache = useQueryClient();
  const failed = useFailed();
  const shownPhone = useShownPhone();
  const again = () => void cache.invalidateQueries({ queryKey: expectedKey });
  const bringBack = useMutation({
    mutationFn: ({ id }: { id: string; name: string }) => call(moveVisit, { body: { id, action: 'BACK' } }),
    onSuccess: (_visit, { name }) => toastStep({ title: t`Back on the Expected list`, name }),
    onError: (error) => failed(t`Not restored`, error),
    onSettled: again,
  });
  return useMutation({
    mutationFn: ({ _id: id, version }: SmsCheckin) =>
      call(moveVisit, { body: { id, version, action: 'DOCTOR_CANCELLED', notes: 'cancelled' } }),
    onSuccess: (_visit, { _id: id, patientId }) => {
      const patient = shownPhone(patientId.phone);
      const undo = () => {
        forgetUndo(id);
        dismissToast(undoToast);
        bringBack.mutate({ id, name: patient });
      };
      const undoToast = toastStep({ title: t`${patient} removed`, action: { label: t`Undo`, run: undo } });
      rememberUndo(id, undo);
    },
    onError: (error) => failed(t`Not removed.`, error),
    onSettled: again,
  });
}

/** Texts the check-in link again. */
export function useResend() {
  const { t } = useLingui();
  const cache = useQueryClient();
  const failed = useFailed();
  const tellOutcome = useTextOutcome();
  const shownPhone = useShownPhone();
  return useMutation({
    mutationFn: ({ _id: id }: SmsCheckin) => call(resendCheckin, { body: { id } }),
    onSuccess: async ({ _id: id, text, patientId }) => {
      const name = shownPhone(patientId.phone);
      await cache.invalidateQueries({ queryKey: expectedKey });
      void tellOutcome(id, text, {
        name,
        sent: { title: t`Check-in link sent again`, name },
        refused: t`${name} was not texted`,
      });
    },
    onError: (error, { patientId }) => {
      const name = shownPhone(patientId.phone);
      failed(t`${name} was not texted`, error);
      void cache.invalidateQueries({ queryKey: expectedKey });
    },
  });
}

function useFailed(): (title: string, error: Error) => void {
  const { t } = useLingui();
  return (title, error) => {
    toast({
      tone: 'red',
      title,
      text: errorMessage(error, t`The server could not be reached. Try again.`),
      seconds: 10,
    });
  };
}
