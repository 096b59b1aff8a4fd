import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { readFormDelivery, sendForm } from '#contract/forms/desk.ts';
import { call } from '#web/kit/call.ts';

const keyOf = (key: string) => ['form-delivery', key];
const pollMs = 5_000;

/** Whether a form is on the FHIR server; asked again while it is on its way. */
export function useDelivery(key: string) {
  return useQuery({
    queryKey: keyOf(key),
    queryFn: ({ signal }) => call(readFormDelivery, { query: { key } }, { signal }),
    refetchInterval: ({ state }) => (state.data?.state === 'sending' ? pollMs : false),
  });
}

export function useSendForm(key: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call(sendForm, { body: { key } }),
    onSuccess: (delivery) => client.setQueryData(keyOf(key), delivery),
  });
}
