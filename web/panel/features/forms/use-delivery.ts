import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { readFormDelivery, sendForm } from '#contract/forms/desk.ts';
import { call } from '#web/kit/call.ts';
import { pollMs } from '#web/kit/poll.ts';

const keyOf = (key: string) => ['form-delivery', key];
const whileSendingMs = 5_000;

/** Whether a form is on the FHIR server. Another desk may send it, and the job may end what is on its way. */
export function useDelivery(key: string) {
  return useQuery({
    queryKey: keyOf(key),
    queryFn: ({ signal }) => call(readFormDelivery, { query: { key } }, { signal }),
    refetchInterval: ({ state }) => (state.data?.state === 'sending' ? whileSendingMs : pollMs),
  });
}

export function useSendForm(key: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call(sendForm, { body: { key } }),
    onSuccess: (delivery) => client.setQueryData(keyOf(key), delivery),
  });
}
