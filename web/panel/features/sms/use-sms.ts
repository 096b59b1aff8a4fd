import { useLingui } from '@lingui/react/macro';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { readOfficeByNpi } from '#contract/practice/office.ts';
import { previewSms, saveSmsText, sendSms, type Sms } from '#contract/sms.ts';
import { call, CallError } from '#web/kit/call.ts';
import { errorMessage } from '#web/kit/error-messages.ts';
import { useRefetchOnHints } from '#web/kit/refetch-after-hint.ts';
import { useSession } from '#web/kit/session.ts';
import { toast } from '#web/panel/ui/toasts.ts';
import { outboxKey } from './use-outbox.ts';
import { useReportSent } from './use-report-sent.ts';

const officeKey = ['sms-office'] as const;

/** The office, with the default message. */
export function useOffice() {
  const npi = useSession().office?.npi ?? '';
  const queryKey = [...officeKey, npi];
  const office = useQuery({
    queryKey,
    queryFn: ({ signal }) => call(readOfficeByNpi, { params: { npi } }, { signal }),
    staleTime: Infinity,
  });
  useRefetchOnHints(queryKey, ({ type }) => type === 'settings' || type === 'refetch');
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

/** Sends, and reports what became of it. A retry after a lost answer sends nothing twice. */
export function useSend() {
  const { t } = useLingui();
  const cache = useQueryClient();
  const reportSent = useReportSent();
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
      // It may have been sent, also when a proxy answers 502: the same key makes the next try safe.
      if (error instanceof CallError && error.isRefusal) key.current = { sms: '', id: '' };
      toast({
        tone: 'red',
        title: t`We couldn't send your SMS`,
        text: errorMessage(error, t`The server could not be reached. Try again.`),
        seconds: 30,
      });
    },
  });
}
