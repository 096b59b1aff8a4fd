import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { readFeatureRequests, requestFeature } from '#contract/feature-requests.ts';
import { call } from '#web/kit/call.ts';

const key = ['feature-requests'] as const;

/** Whether the person has asked for the website chat, and how to ask for it. */
export function useChatRequest() {
  const cache = useQueryClient();
  const requests = useQuery({ queryKey: key, queryFn: ({ signal }) => call(readFeatureRequests, {}, { signal }) });
  const request = useMutation({
    mutationFn: () => call(requestFeature, { body: { feature: 'chat' } }),
    onSuccess: (now) => cache.setQueryData(key, now),
  });
  return { requests, request, isRequested: requests.data?.requested.includes('chat') === true };
}
