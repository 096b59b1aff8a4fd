import { useLingui } from '@lingui/react/macro';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  listSmsCheckins,
  listSmsHistory,
  reinviteCheckin,
  updateCheckin,
  type SmsCheckin,
} from '#contract/sms-checkin.ts';
import { actionOfMove, moveVisit, type EndReason } from '#contract/queue.ts';
import { useNow } from '#web/kit/clock.ts';
import { call } from '#web/kit/call.ts';
import { useOfficeZone } from '#web/kit/format.tsx';
import { pollMs } from '#web/kit/poll.ts';
import { useRefetchOnHints } from '#web/kit/refetch-after-hint.ts';
import { useSession } from '#web/kit/session.ts';
import { dayOf } from '#web/kit/office-clock.ts';
import {
  currentVisitOf,
  expectedKey,
  useConflictMessage,
  useShownName,
  useShownPhone,
  useTextOutcome,
} from '#web/panel/features/queue/index.ts';
import { dismissToast, toast } from '#web/panel/ui/toasts.ts';

/** Today's check-ins: those that are not in History, or those that are. A new day begins with an empty list. */
export function useCheckins(list: 'open' | 'history') {
  const officeId = useSession().office?.id ?? '';
  const today = dayOf(useNow(), useOfficeZone());
  const date = today.replaceAll('-', '');
  const queryKey = [...expectedKey, list, officeId, today];
  const checkins = useQuery({
    queryKey,
    queryFn: ({ signal }) =>
      list === 'open'
        ? call(listSmsCheckins, { params: { officeId } }, { signal })
        : call(listSmsHistory, { params: { officeId, date } }, { signal }),
    refetchInterval: pollMs,
  });
  useRefetchOnHints(
    queryKey,
    ({ type }) => type === 'checkin' || type === 'message' || type === 'refetch' || type === 'opened',
  );
  return checkins;
}

export type CheckinMove = 'invite' | 'reinvite' | 'finish';

/** Sends a move of the version on screen, so that a second desk's press or one after a lost answer texts nobody twice. */
async function sendCheckinMove({ checkin, move }: { checkin: SmsCheckin; move: CheckinMove }): Promise<SmsCheckin> {
  const { _id: id, version } = checkin;
  if (move === 'reinvite')
    return call(reinviteCheckin, { body: { id, version } }, { idempotencyKey: `reinvite ${id} ${version}` });
  const status = move === 'invite' ? 'ENTER' : 'HISTORY';
  try {
    return await call(updateCheckin, { body: { id, version, status } });
  } catch (error) {
    const now = currentVisitOf(error);
    // "Still waiting?" changes the version, but nobody was faster.
    if (move !== 'invite' || now?.statusCode !== 'WAITING' || now.version === version) throw error;
    return call(updateCheckin, { body: { id, version: now.version, status } });
  }
}

/** 'Invite in', 'Reinvite', and 'Move to history' with Undo. Success is reported only for a text that the carrier took. */
export function useCheckinMove() {
  const { t } = useLingui();
  const cache = useQueryClient();
  const reportOutcome = useTextOutcome();
  const shownPhone = useShownPhone();
  const nameOf = useNameOf();
  const offerUndo = useOfferUndo();
  const reportRefusal = useReportRefusal();
  const reportNotSent = useReportRefusal({ title: t`We couldn't send your SMS`, seconds: 30 });
  return useMutation({
    mutationFn: sendCheckinMove,
    onSuccess: async ({ _id: id, text, patientId }, { move }) => {
      await cache.invalidateQueries({ queryKey: expectedKey });
      if (move === 'finish') {
        const patient = nameOf(patientId);
        return offerUndo(id, t`${patient} moved to history`);
      }
      const name = shownPhone(patientId.phone);
      void reportOutcome(id, text, {
        name,
        sent: {
          tone: 'green',
          title: t`SMS sent`,
          text: t`Your SMS was successfully sent to the patient`,
          name: nameOf(patientId),
        },
        refused: t`We couldn't send your SMS`,
        refusedSeconds: 30,
      });
    },
    onError: (error, { move }) => (move === 'finish' ? reportRefusal(error) : reportNotSent(error)),
  });
}

/** Removes a patient who is waiting, with the reason. */
export function useRemoveCheckin() {
  const { t } = useLingui();
  const cache = useQueryClient();
  const nameOf = useNameOf();
  const offerUndo = useOfferUndo();
  const reportRefusal = useReportRefusal();
  return useMutation({
    mutationFn: ({ checkin: { _id: id, version }, reason }: { checkin: SmsCheckin; reason: EndReason }) =>
      call(moveVisit, { body: { id, version, action: actionOfMove.remove, notes: reason } }),
    onSuccess: async ({ id }, { checkin }) => {
      await cache.invalidateQueries({ queryKey: expectedKey });
      const patient = nameOf(checkin.patientId);
      offerUndo(id, t`${patient} removed`);
    },
    onError: reportRefusal,
  });
}

/** Moves a patient out of History again. */
export function useMoveBack() {
  const { t } = useLingui();
  const cache = useQueryClient();
  const reportRefusal = useReportRefusal();
  return useMutation({
    mutationFn: (id: string) => call(moveVisit, { body: { id, action: actionOfMove.moveBack } }),
    onSuccess: async () => {
      await cache.invalidateQueries({ queryKey: expectedKey });
      toast({ title: t`Moved back to Checked In` });
    },
    onError: reportRefusal,
  });
}

/** Returns a function that names a patient in a toast: by the number as long as no name is known. */
function useNameOf(): (patient: SmsCheckin['patientId']) => string {
  const shownName = useShownName();
  return (patient) => shownName(fullName(patient), patient.phone);
}

export const fullName = ({ first_name, last_name }: SmsCheckin['patientId']): string =>
  `${first_name} ${last_name}`.trim();

/** Returns a function that reports the end of a visit, with Undo. */
function useOfferUndo(): (id: string, title: string) => void {
  const { t } = useLingui();
  const moveBack = useMoveBack();
  return (id, title) => {
    const undo = () => {
      dismissToast(shown);
      moveBack.mutate(id);
    };
    const shown = toast({ title, action: { label: t`Undo`, run: undo } });
  };
}

function useReportRefusal(says?: { title: string; seconds: number }): (error: Error) => void {
  const { t } = useLingui();
  const cache = useQueryClient();
  const conflictMessage = useConflictMessage();
  const { title, seconds } = says ?? { title: t`Nothing was changed`, seconds: 10 };
  return (error) => {
    toast({ tone: 'red', title, text: conflictMessage(error), seconds });
    void cache.invalidateQueries({ queryKey: expectedKey });
  };
}
