import { useEffect, useRef, useState } from 'react';
import type { Arrival } from '#contract/patient/check-in.ts';
import { newKey, retryUntilAnswered } from '#web/kit/retry-until-answered.ts';

/** Sends an arrival. The same key makes one visit however often it is sent. Resolves when the reply is dealt with. */
export type SendArrival = (arrival: Arrival, key: string, signal: AbortSignal) => Promise<void>;

/** Sends what was entered as soon as there is a network, until it is answered or the patient changes it. */
export function useSendArrival(send: SendArrival, onError: (error: unknown) => void) {
  const sending = useRef<AbortController>(null);
  const lastSent = useRef({ body: '', key: '' });
  const [isSending, setIsSending] = useState(false);
  const stop = () => sending.current?.abort();
  useEffect(() => () => sending.current?.abort(), []);

  const start = async (arrival: Arrival) => {
    const body = JSON.stringify(arrival);
    if (lastSent.current.body !== body) lastSent.current = { body, key: newKey() };
    const { key } = lastSent.current;
    const { signal } = (sending.current = new AbortController());
    setIsSending(true);
    await retryUntilAnswered(() => send(arrival, key, signal), signal).catch((error: unknown) => {
      if (!signal.aborted) onError(error);
    });
    setIsSending(false);
  };
  return { isSending, start, stop };
}
