import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type * as z from 'zod/mini';
import {
  readPayment,
  recordInAthena,
  refundPayment,
  requestPayment,
  voidPayment,
  type Payment,
} from '#contract/copay.ts';
import { call } from '#web/kit/call.ts';
import { pollMs } from '#web/kit/poll.ts';
import { useRefetchOnHints } from '#web/kit/refetch-after-hint.ts';

const paymentKey = (chargeId: string) => ['payment', chargeId] as const;

/** One payment with its refunds, read again when its visit changes. */
export function usePayment(chargeId: string) {
  const payment = useQuery({
    queryKey: paymentKey(chargeId),
    queryFn: ({ signal }) => call(readPayment, { params: { chargeId } }, { signal }),
    refetchInterval: pollMs,
  });
  useRefetchOnHints(
    paymentKey(chargeId),
    ({ type, visit }) => type === 'refetch' || (type === 'checkin' && visit === payment.data?.visitId),
  );
  return payment;
}

/** The text with the link that a request sent. */
export type RequestText = z.output<typeof requestPayment.reply>['text'];

/** Requests a payment on a visit. A form is one request however often it is sent, until its amounts change. `onTexted` runs even if another patient is selected meanwhile. */
export function useRequestPayment(visitId: string, form: string, onTexted: (text: RequestText, cents: number) => void) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (amounts: { copay: number; claims: number }) =>
      call(
        requestPayment,
        { body: { visitId, ...amounts } },
        { idempotencyKey: `${form} ${amounts.copay} ${amounts.claims}` },
      ),
    onSuccess: ({ text, amount }) => onTexted(text, amount),
    onSettled: () => cache.invalidateQueries({ queryKey: ['queue'] }),
  });
}

/** What the desk can do with a payment. Its current state is shown after each attempt, also after a refused one. */
export function useChangePayment(chargeId: string) {
  const cache = useQueryClient();
  const show = (payment: Payment) => cache.setQueryData(paymentKey(chargeId), payment);
  const refresh = () => {
    // All of them: another payment of the same request may not be one too many any more.
    void cache.invalidateQueries({ queryKey: ['payment'] });
    void cache.invalidateQueries({ queryKey: ['queue'] });
    void cache.invalidateQueries({ queryKey: ['transactions'] });
  };
  const params = { chargeId };
  return {
    refund: useMutation({
      // The id comes with the form, so that a second press after a lost answer refunds once.
      mutationFn: (body: { id: string; amount: number; reason: string }) => call(refundPayment, { params, body }),
      onSuccess: show,
      onSettled: refresh,
    }),
    voiding: useMutation({
      mutationFn: (body: { move: 'withdraw' | 'void'; reason: string }) => call(voidPayment, { params, body }),
      onSuccess: show,
      onSettled: refresh,
    }),
    recording: useMutation({
      mutationFn: () => call(recordInAthena, { body: { chargeId } }),
      onSettled: refresh,
    }),
  };
}
