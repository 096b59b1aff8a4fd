import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { acceptInvitation, declineInvitation, joinOffice, readInvitation } from '#contract/team.ts';
import { call } from '#web/kit/call.ts';
import { sessionQuery, switchOffice } from '#web/kit/session.ts';

/** The invitation behind a link. Fetched once: accepting ends it, and the page still shows it. */
export const invitationQuery = (token: string) =>
  queryOptions({
    queryKey: ['config', 'invitation', token],
    queryFn: ({ signal }) => call(readInvitation, { params: { token } }, { signal }),
    staleTime: Infinity,
  });

/** Joins by the link's token or the invitation's id, and opens the office in this tab. */
export function useJoin(by: { token: string } | { invitationId: string }) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: () => ('token' in by ? call(acceptInvitation, { params: by }) : call(joinOffice, { params: by })),
    onSuccess: ({ officeId }) => switchOffice(officeId),
    onError: () => cache.invalidateQueries({ queryKey: sessionQuery.queryKey }),
  });
}

/**
 * Ends an invitation without joining. `onDeclined` runs before the session is read again: the list then drops the invitation,
 * and a callback of the unmounted button would not run.
 */
export function useDecline(onDeclined: () => void) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (invitationId: string) => call(declineInvitation, { params: { invitationId } }),
    onSuccess: onDeclined,
    onSettled: () => cache.invalidateQueries({ queryKey: sessionQuery.queryKey }),
  });
}
