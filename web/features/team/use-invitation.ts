import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { acceptInvitation, readInvitation } from '#contract/team.ts';
import { call } from '#web/kit/call.ts';
import { sessionQuery, switchOffice } from '#web/kit/session.ts';

/** What a link says. Read once: when it is taken up it ends, and the page still has to say where it leads. */
export const invitationQuery = (token: string) =>
  queryOptions({
    queryKey: ['config', 'invitation', token],
    queryFn: ({ signal }) => call(readInvitation, { params: { token } }, { signal }),
    staleTime: Infinity,
  });

/** Joins, and opens the office in this tab. */
export function useAccept(token: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: () => call(acceptInvitation, { params: { token } }),
    onSuccess: ({ officeId }) => switchOffice(officeId),
    onError: () => cache.invalidateQueries({ queryKey: sessionQuery.queryKey }),
  });
}
