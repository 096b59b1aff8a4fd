import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  inviteColleague,
  listTeam,
  removeColleague,
  resendInvitation,
  revokeInvitation,
  type Team,
} from '#contract/team.ts';
import { call, type BodyOf } from '#web/kit/call.ts';
import { useRefetchOnHints } from '#web/kit/refetch-after-hint.ts';

const key = ['team'] as const;

/** The office's members and invitations; refetched when a colleague changes them. */
export function useTeam() {
  useRefetchOnHints(key, ({ type }) => type === 'team');
  return useQuery({ queryKey: key, queryFn: ({ signal }) => call(listTeam, {}, { signal }) });
}

/** Refetches after each change, also after a refusal: the list was out of date. */
function useLookAgain() {
  const cache = useQueryClient();
  return {
    onSettled: () => cache.invalidateQueries({ queryKey: key }),
    change: (how: (team: Team) => Team) => cache.setQueryData<Team>(key, (team) => team && how(team)),
  };
}

export function useInvite() {
  const { onSettled } = useLookAgain();
  return useMutation({
    mutationFn: (body: BodyOf<typeof inviteColleague>) => call(inviteColleague, { body }),
    onSettled,
  });
}

export function useResend() {
  const { onSettled } = useLookAgain();
  return useMutation({
    mutationFn: (invitationId: string) => call(resendInvitation, { params: { invitationId } }),
    onSettled,
  });
}

export function useRevoke() {
  const { onSettled, change } = useLookAgain();
  return useMutation({
    mutationFn: (invitationId: string) => call(revokeInvitation, { params: { invitationId } }),
    onSuccess: (_revoked, id) =>
      change((team) => ({ ...team, invitations: team.invitations.filter((invitation) => invitation.id !== id) })),
    onSettled,
  });
}

export function useRemove() {
  const cache = useQueryClient();
  const { change } = useLookAgain();
  return useMutation({
    mutationFn: (personId: string) => call(removeColleague, { params: { personId } }),
    onSuccess: (_removed, id) =>
      change((team) => ({ ...team, colleagues: team.colleagues.filter((colleague) => colleague.id !== id) })),
    // After leaving the practice themselves, the gate decides where they go.
    onSettled: () =>
      cache.invalidateQueries({ predicate: ({ queryKey: [what] }) => what === 'team' || what === 'session' }),
  });
}
