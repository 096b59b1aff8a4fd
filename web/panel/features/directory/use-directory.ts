import { keepPreviousData, useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { useLingui } from '@lingui/react/macro';
import { useNavigate } from '@tanstack/react-router';
import { openChatConversation } from '#contract/conversations/chat-conversations.ts';
import { readPatient, searchPatients, type PatientFile } from '#contract/directory.ts';
import { call } from '#web/kit/call.ts';
import { errorMessage } from '#web/kit/error-messages.ts';
import { pollMs } from '#web/kit/poll.ts';
import { useRefetchOnHints } from '#web/kit/refetch-after-hint.ts';
import { toast } from '#web/panel/ui/toasts.ts';

/** The office's patients by name, those that match the search if there is one; more pages on demand. */
export function useDirectory(search: string) {
  return useInfiniteQuery({
    queryKey: ['directory', search],
    queryFn: ({ pageParam, signal }) =>
      call(
        searchPatients,
        { body: { ...(search && { search }), ...(pageParam && { cursor: pageParam }) } },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    refetchInterval: pollMs,
    placeholderData: keepPreviousData,
  });
}

/** One patient with visits, forms and the conversation. */
export function usePatient(patientId: string) {
  const queryKey = ['directory-patient', patientId];
  const patient = useQuery({
    queryKey,
    queryFn: ({ signal }) => call(readPatient, { params: { patientId } }, { signal }),
    refetchInterval: pollMs,
  });
  useRefetchOnHints(queryKey, ({ type }) => type === 'messages' || type === 'checkin' || type === 'refetch');
  return patient;
}

/** Opens the conversation with a patient in the inbox; it is created if there is none. */
export function useOpenConversation() {
  const { t } = useLingui();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: async ({ conversation, patient }: PatientFile) =>
      conversation?.id ??
      (await call(openChatConversation, { body: { targetUserCode: patient.userCode } })).conversationId,
    onSuccess: (id) => navigate({ to: '/dashboard/messages', search: { filter: 'all', conversation: id } }),
    onError: (error) =>
      toast({ tone: 'red', title: errorMessage(error, t`The server could not be reached.`), seconds: 10 }),
  });
}
