import { useLingui } from '@lingui/react/macro';
import { useEffect, useRef, useState } from 'react';
import { openCardForm, payCopay, type PatientPayment } from '#contract/copay.ts';
import { call, CallError } from '#web/kit/call.ts';
import { errorMessage } from '#web/kit/error-messages.ts';
import { retryUntilAnswered } from '#web/kit/retry-until-answered.ts';
import { noteUnsaved } from '#web/phone/ui/unsaved.ts';

/** Opens the card form and pays with its card. Without a network the same call is repeated: the server charges once. */
export function usePay(token: string, paymentId: string, onPayment: (payment: PatientPayment) => void) {
  const { t } = useLingui();
  const [form, setForm] = useState<string | null>(null);
  const [paying, setPaying] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const busy = useRef(false);
  const left = useRef<AbortController>(null);
  useEffect(() => {
    const control = new AbortController();
    left.current = control;
    return () => control.abort();
  }, []);

  const isOpen = form !== null;
  useEffect(() => {
    noteUnsaved(busy, isOpen);
    return () => noteUnsaved(busy, false);
  }, [isOpen]);

  const run = async (work: () => Promise<void>) => {
    if (busy.current) return;
    busy.current = true;
    setProblem(null);
    try {
      await work();
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      setProblem(errorMessage(error, t`No connection. Please try again.`));
    } finally {
      busy.current = false;
    }
  };
  const open = () =>
    void run(async () => {
      setForm((await call(openCardForm, { params: { token } })).url);
    });
  const pay = (card: string) =>
    void run(async () => {
      setPaying(true);
      try {
        const signal = left.current?.signal ?? new AbortController().signal;
        const send = () => call(payCopay, { params: { token }, body: { paymentId, card } }, { signal });
        onPayment(await retryUntilAnswered(send, signal));
      } finally {
        setPaying(false);
        setForm(null);
      }
    });
  return { form, open, pay, paying, problem };
}
