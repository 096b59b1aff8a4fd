import { t } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { readOfficeByNpi } from '#contract/practice/office.ts';
import { previewSms, readTextOutcome, saveSmsText, sendSms, type SentSms, type Sms } from '#contract/sms.ts';
import { call, CallError } from '#web/kit/call.ts';
import { errorMessage } from '#web/kit/error-messages.ts';
import { useHints } from '#web/kit/live.ts';
import { useSession } from '#web/kit/session.ts';
import { textErrorAdvice } from '#web/panel/features/queue/index.ts';
import { toast } from '#web/panel/ui/toasts.ts';
import { outboxKey } from './use-outbox.ts';

const officeKey = ['sms-office'] as const;
const askEveryMs = 500;
/** The carrier usually answers within a second. */
const followForMs = 15_000;

/** The office, with the default message. */
export function useOffice() {
  const npi = useSession().office?.npi ?? '';
  const office = useQuery({
    queryKey: [...officeKey, npi],
    queryFn: ({ signal }) => call(readOfficeByNpi, { params: { npi } }, { signal }),
    staleTime: Infinity,
  });
  useHints(({ type }) => {
    if (type === 'settings' || type === 'refetch') void office.refetch();
  });
  return office;
}

/** Saves the default message; an empty one restores the standard message. */
export function useSaveText() {
  const { t } = useLingui();
  const cache = useQueryClient();
  const officeId = useSession().office?.id ?? '';
  return useMutation({
    mutationFn: (text: string) => call(saveSmsText, { body: { officeId, text } }),
    onSuccess: async () => {
      await cache.invalidateQueries({ queryKey: officeKey });
      toast({ tone: 'green', title: t`Default message saved` });
    },
    onError: (error) => toast({ tone: 'red', title: t`Not saved`, text: errorMessage(error, ''), seconds: 10 }),
  });
}

export function usePreview() {
  return useMutation({ mutationFn: (sms: Sms) => call(previewSms, { body: sms }) });
}

/** Sends, and reports success only for what the carrier took. A retry after a lost answer sends nothing twice. */
export function useSend() {
  const { t } = useLingui();
  const cache = useQueryClient();
  const key = useRef({ sms: '', id: '' });
  return useMutation({
    mutationFn: (sms: Sms) => {
      const text = JSON.stringify(sms);
      if (key.current.sms !== text) key.current = { sms: text, id: crypto.randomUUID() };
      return call(sendSms, { body: sms }, { idempotencyKey: key.current.id });
    },
    onSuccess: (sent, sms) => {
      key.current = { sms: '', id: '' };
      void cache.invalidateQueries({ queryKey: outboxKey });
      void reportSent(sent, sms).finally(() => cache.invalidateQueries({ queryKey: outboxKey }));
    },
    onError: (error) => {
      // Without an answer it may have been sent: the same key makes the next try safe.
      if (!(error instanceof CallError) || error.status > 0) key.current = { sms: '', id: '' };
      failed(errorMessage(error, t`The server could not be reached. Try again.`));
    },
  });

  function failed(text: string): void {
    toast({ tone: 'red', title: t`We couldn't send your SMS`, text, seconds: 30 });
  }

  async function reportSent(sent: SentSms, sms: Sms): Promise<void> {
    const isScheduled = sms.deliveryOptions.some(({ sendAt, appointmentAt }) => sendAt || appointmentAt);
    if (isScheduled || sent.accepted > sent.textIds.length) {
      const people = sent.accepted;
      const text = [t`The outbox shows when each one goes out.`, ...leftOut(sent)].join(' ');
      toast({ tone: 'green', title: t`Texts scheduled: ${people}`, text });
      return;
    }
    const outcomes = await Promise.all(sent.textIds.map((textId) => outcomeOf(textId)));
    const bad = outcomes.find(({ state }) => ['failed', 'stopped', 'held', 'unknown', 'cancelled'].includes(state));
    if (bad) return failed(textErrorAdvice(bad));
    if (outcomes.every(({ state }) => state === 'sent' || state === 'delivered')) {
      toast({ tone: 'green', title: t`SMS sent`, text: t`Your SMS was successfully sent to the patient` });
      const missed = leftOut(sent);
      if (missed.length > 0)
        toast({ tone: 'amber', title: t`Not everybody was texted`, text: missed.join(' '), seconds: 30 });
    } else
      toast({
        title: t`Sending…`,
        text: t`The carrier has not answered yet. The outbox shows when it does.`,
        seconds: 10,
      });
  }
}

/** Who of the list gets no text, in sentences. */
function leftOut({ optedOut, landlines, limited }: SentSms): string[] {
  return [
    ...(optedOut > 0 ? [t`Not texted because of STOP: ${optedOut}.`] : []),
    ...(landlines > 0 ? [t`Not texted because it is a landline: ${landlines}.`] : []),
    ...(limited > 0 ? [t`Not texted because the number has gotten enough texts for now: ${limited}.`] : []),
  ];
}

/** A text's state once the carrier has answered, or after a while the state it has then. */
async function outcomeOf(textId: string) {
  const until = performance.now() + followForMs;
  for (;;) {
    const outcome = await call(readTextOutcome, { params: { textId } });
    const isOpen = outcome.state === 'scheduled' || outcome.state === 'sending';
    if (!isOpen || performance.now() > until) return outcome;
    await new Promise((resolve) => setTimeout(resolve, askEveryMs));
  }
}
