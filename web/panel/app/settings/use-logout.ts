import { useMutation, useQueryClient } from '@tanstack/react-query';
import { signOutAndLeave, useSession } from '#web/kit/session.ts';

/** Ends the session of `who`. */
export function useLogout() {
  const { person } = useSession();
  const cache = useQueryClient();
  const out = useMutation({ mutationFn: () => signOutAndLeave(cache) });
  return { out, who: person?.email ?? person?.name ?? '' };
}
