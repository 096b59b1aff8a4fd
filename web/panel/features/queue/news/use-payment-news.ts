import { useLingui } from '@lingui/react/macro';
import { useEffect, useEffectEvent, useRef } from 'react';
import type { QueueEntry } from '#contract/queue.ts';
import { formatMoney } from '#web/kit/format.tsx';
import { useLanguage } from '#web/kit/i18n.ts';
import { toast } from '#web/panel/ui/toasts.ts';
import { useShownName } from '#web/panel/features/queue/privacy.tsx';

const stateOf = ({ paymentResponse: payment }: QueueEntry) => payment && `${payment.chargeId} ${payment.state}`;

/** Tells the desk when a patient has paid, or the payment did not work. The first load makes no toast. */
export function usePaymentNews(visits: readonly QueueEntry[] | undefined): void {
  const { t } = useLingui();
  const language = useLanguage();
  const shownName = useShownName();
  const known = useRef<Map<string, string | null>>(undefined);
  const tell = useEffectEvent((now: readonly QueueEntry[]) => {
    const before = known.current;
    known.current = new Map(now.map((visit) => [visit.id, stateOf(visit)]));
    for (const visit of before ? now : []) {
      const { paymentResponse: payment } = visit;
      const old = before?.get(visit.id);
      if (!payment || old === undefined || old === stateOf(visit)) continue;
      const name = shownName(visit.patientName, visit.username);
      const amount = formatMoney(payment.amount, language);
      if (payment.state === 'SUCCEEDED') toast({ tone: 'green', title: t`${name} paid ${amount}` });
      else if (payment.state === 'FAILED')
        toast({
          tone: 'red',
          title: t`${name}: the payment of ${amount} failed`,
          text: t`Nothing was charged. The patient can try again.`,
          seconds: 10,
        });
    }
  });
  useEffect(() => {
    if (visits) tell(visits);
  }, [visits]);
}
