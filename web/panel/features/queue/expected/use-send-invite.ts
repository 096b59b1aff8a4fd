import { useLingui } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { addCheckin, correctCheckin, resendCheckin, type SmsCheckin } from '#contract/sms-checkin.ts';
import { call, CallError } from '#web/kit/call.ts';
import { errorMessage, refusalMessage } from '#web/kit/error-messages.ts';
import { toast } from '#web/panel/ui/toasts.ts';
import { useShownPhone } from '#web/panel/features/queue/privacy.tsx';
import { expectedKey } from './use-expected.ts';
import { useTextOutcome, type TextOutcome } from '#web/panel/features/queue/texting/use-text-outcome.ts';

/**
 * Texts the check-in link to a new patient. After that, or with `correcting`, sending again corrects the number of that expected
 * patient instead of adding another one.
 */
export function useSendInvite(phone: string, text: string, correcting: SmsCheckin | undefined) {
  const { t } = useLingui();
  const cache = useQueryClient();
  const showOutcome = useTextOutcome();
  const shownPhone = useShownPhone();
  const idempotencyKey = useRef(crypto.randomUUID());
  const [expected, setExpected] = useState(correcting);
  const isSameNumber = expected?.patientId.phone === `+1${phone}`;

  const request = () => {
    const options = { idempotencyKey: idempotencyKey.current };
    const body = { phone: `+1${phone}`, text: text.trim() || undefined };
    if (!expected) return call(addCheckin, { body }, options);
    const id = expected._id;
    if (isSameNumber) return call(resendCheckin, { body: { id } }, options);
    return call(correctCheckin, { body: { ...body, id } }, options);
  };
  const send = useMutation({
    mutationFn: async () => {
      const added = await request();
      idempotencyKey.current = crypto.randomUUID();
      setExpected(added);
      await cache.invalidateQueries({ queryKey: expectedKey });
      const name = shownPhone(added.patientId.phone);
      return showOutcome(added._id, added.text, {
        name,
        sent: { title: t`Invite sent!`, text: t`Your SMS invite was successfully sent to the patient`, seconds: 2 },
        refused: t`${name} was not texted`,
      });
    },
    onError: (error) => {
      // After any other error the text may be on its way: the same key makes the next try safe.
      if (error instanceof CallError && error.isRefusal) idempotencyKey.current = crypto.randomUUID();
      const isLimit = error instanceof CallError && /^(limited_|too_many_texts)/.test(error.code);
      // A known reason is shown at the field; general advice beside it would contradict it.
      const isReasonKnown = error instanceof CallError && error.isRefusal;
      if (isReasonKnown && !isLimit && error.code !== 'invalid_phone') return;
      toast({
        tone: 'red',
        title: t`Error`,
        text: isLimit
          ? refusalMessage(error)
          : t`We couldn't send your SMS invite, please verify the phone number and try again`,
      });
    },
  });
  /** After an edit the next Send is another message. */
  const startOver = () => {
    if (send.error || send.data) send.reset();
    idempotencyKey.current = crypto.randomUUID();
  };
  return { ...outcomeOf(send), isSameNumber, isPending: send.isPending, send: send.mutate, startOver };
}

interface SentText {
  error: Error | null;
  data: TextOutcome | undefined;
  isSuccess: boolean;
}

/** What came of the last Send: the error of each field, the notice while the outcome is open, and whether the carrier took the text. */
function outcomeOf({ error, data, isSuccess }: SentText) {
  // After a refusal by the carrier the patient is on the Expected list, and the number can be corrected here.
  const refused = data?.state === 'refused' ? data.reason : undefined;
  const problem = refused ?? (error instanceof CallError && error.status > 0 ? errorMessage(error, '') : undefined);
  const isAboutText = error instanceof CallError && error.code === 'limited_own_words';
  return {
    phoneError: isAboutText ? undefined : problem,
    textError: isAboutText ? problem : undefined,
    openNotice: data?.state === 'open' ? data.reason : undefined,
    isSent: data?.state === 'sent',
    isAnswered: isSuccess,
  };
}
