import { useLingui } from '@lingui/react/macro';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  listSmsCheckins,
  listSmsHistory,
  reinviteCheckin,
  updateCheckin,
  type SmsCheckin,
} from '#contract/sms-checkin.ts';
import { useNow } from '#web/kit/clock.ts';
import { call } from '#web/kit/call.ts';
import { errorMessage } from '#web/kit/error-messages.ts';
import { useOfficeZone } from '#web/kit/format.tsx';
import { useHints } from '#web/kit/live.ts';
import { useSession } from '#web/kit/session.ts';
import { dayOf, expectedKey, useShownPhone, useTextOutcome } from '#web/panel/features/queue/index.ts';
import { toast } from '#web/panel/ui/toasts.ts';

/** Every change sends a hint; polling covers a lost socket. */
const pollMs = 60_000;

/** Today's check-ins: those that are not in History, or those that are. A new day begins with an empty list. */
export function useCheckins(list: 'open' | 'history') {
  const officeId = useSession().office?.id ?? '';
  const today = dayOf(useNow(), useOfficeZone());
  const date = today.replaceAll('-', '');
  const checkins = useQuery({
    queryKey: [...expectedKey, list, officeId, today],
    queryFn: ({ signal }) =>
      list === 'open'
        ? call(listSmsCheckins, { params: { officeId } }, { signal })
        : call(listSmsHistory, { params: { officeId, date } }, { signal }),
    refetchInterval: pollMs,
  });
  useHints(({ type }) => {
    if (type === 'checkin' || type === 'message' || type === 'refetch' || type === 'opened') void checkins.refetch();
  });
  return checkins;
}

export type CheckinMove = 'invite' | 'reinvite' | 'finish';

/** 'Invite in', 'Reinvite' and 'Move to history'. Success is reported only for a text that the carrier took. */
export function useCheckinMove() {
  const { t } = useLingui();
  const cache = useQueryClient();
  const reportOutcome = useTextOutcome();
  const shownPhone = useShownPhone();
  return useMutation({
    mutationFn: ({ checkin: { _id: id }, move }: { checkin: SmsCheckin; move: CheckinMove }) => {
      if (move === 'reinvite') return call(reinviteCheckin, { body: { id } });
      return call(updateCheckin, { body: { id, status: move === 'invite' ? 'ENTER' : 'HISTORY' } });
    },
    onSuccess: async ({ _id: id, text, patientId }, { move }) => {
      await cache.invalidateQueries({ queryKey: expectedKey });
      if (move === 'finish') return void toast({ title: t`Moved to history` });
      const name = shownPhone(patientId.phone);
      void reportOutcome(id, text, {
        name,
        sent: { tone: 'green', title: t`SMS sent`, text: t`Your SMS was successfully sent to the patient` },
        refused: t`${name} was not texted`,
      });
    },
    onError: (error) => {
      toast({
        tone: 'red',
        title: t`Nothing was changed`,
        text: errorMessage(error, t`The server could not be reached. Try again.`),
        seconds: 10,
      });
      void cache.invalidateQueries({ queryKey: expectedKey });
    },
  });
}
