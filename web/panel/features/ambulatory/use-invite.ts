import { useLingui } from '@lingui/react/macro';
import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { invitePatient, listInvites } from '#contract/ambulatory/patients.ts';
import type { AmbuInvite } from '#contract/ambulatory/shapes.ts';
import { call, CallError, type BodyOf } from '#web/kit/call.ts';
import { errorMessage, refusalMessage } from '#web/kit/error-messages.ts';
import { formatTime, useOfficeZone } from '#web/kit/format.tsx';
import { useLanguage } from '#web/kit/i18n.ts';
import { onHint } from '#web/kit/live.ts';
import { textErrorAdvice } from '#web/panel/features/queue/index.ts';
import { dismissToast, toast } from '#web/panel/ui/toasts.ts';
import { patientsKey } from './use-patients.ts';

type Invite = BodyOf<typeof invitePatient>;
type Outcome = { state: 'sent' } | { state: 'open' | 'refused'; reason: string };

const lookAgainMs = 2_000;
const giveUpAfterMs = 60_000;
const showSendingAfterMs = 1_500;

/** Texts an invite and reports what became of it: 'Invite sent!' only once the carrier has taken the text. */
export function useInvite() {
  const { t } = useLingui();
  const cache = useQueryClient();
  const language = useLanguage();
  const zone = useOfficeZone();
  const [idempotencyKey, setIdempotencyKey] = useState(() => crypto.randomUUID());
  const failed = t`We couldn't send your SMS invite, please verify the phone number and try again`;

  const outcomeOf = ({ lastTextState: state, lastTextProblem: problem, textSendAt }: AmbuInvite): Outcome => {
    if (state === 'sent' || state === 'delivered') {
      toast({ title: t`Invite sent!`, text: t`Your SMS invite was successfully sent to the patient`, seconds: 2 });
      return { state: 'sent' };
    }
    if (state === 'failed' || (state === 'held' && problem !== null)) {
      toast({ tone: 'red', title: t`Error`, text: failed });
      return { state: 'refused', reason: textErrorAdvice({ problem, limitedUntil: null }) };
    }
    if (textSendAt !== null) {
      const time = formatTime(textSendAt, language, zone);
      return { state: 'open', reason: t`Quiet hours for this number: the invite goes out at ${time}.` };
    }
    return {
      state: 'open',
      reason: t`Not sent yet: the phone carrier has not answered. The patient list shows when it does.`,
    };
  };

  const send = useMutation({
    mutationFn: async (body: Invite): Promise<Outcome> => {
      const invite = await call(invitePatient, { body }, { idempotencyKey });
      if (invite.repeated)
        return {
          state: 'open',
          reason: t`This number got the invite less than a minute ago. Nothing was texted again.`,
        };
      let waiting: number | undefined;
      const timer = setTimeout(() => {
        waiting = toast({ title: t`Sending…`, text: t`The phone carrier has not answered yet.`, seconds: 60 });
      }, showSendingAfterMs);
      const decided = await followInvite(cache, invite);
      clearTimeout(timer);
      if (waiting !== undefined) dismissToast(waiting);
      return outcomeOf(decided);
    },
    onError(error) {
      const isClear = error instanceof CallError && /^(already_|limited_|too_many_)/.test(error.code);
      toast({ tone: 'red', title: t`Error`, text: isClear ? refusalMessage(error) : failed });
    },
    onSettled() {
      setIdempotencyKey(crypto.randomUUID());
      return cache.invalidateQueries({ queryKey: patientsKey });
    },
  });
  const { data, error } = send;
  return {
    send: (body: Invite) => send.mutate(body),
    startOver: () => (data || error ? send.reset() : undefined),
    isPending: send.isPending,
    isSent: data?.state === 'sent',
    /** Why the text did not go out, for the number's field. */
    phoneError: data?.state === 'refused' ? data.reason : error ? errorMessage(error, failed) : undefined,
    openNotice: data?.state === 'open' ? data.reason : undefined,
  };
}

const isOpen = ({ lastTextState: state, textSendAt }: AmbuInvite) =>
  textSendAt === null && (state === 'queued' || state === 'sending');

/** Reads the invite again, at each hint and every two seconds, until the carrier has answered; after a minute as it is then. */
async function followInvite(cache: QueryClient, invite: AmbuInvite): Promise<AmbuInvite> {
  const givenUpAt = Date.now() + giveUpAfterMs;
  let newest = invite;
  while (isOpen(newest) && Date.now() < givenUpAt) {
    await nextHint();
    const invites = await cache.fetchQuery({ queryKey: ['ambu-invites'], queryFn: () => call(listInvites) });
    const found = invites.find(({ userId }) => userId === invite.userId);
    if (!found) break;
    newest = found;
  }
  return newest;
}

function nextHint(): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      unsubscribe();
      clearTimeout(timer);
      resolve();
    };
    const unsubscribe = onHint(end);
    const timer = setTimeout(end, lookAgainMs);
  });
}
