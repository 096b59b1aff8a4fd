import { useEffect, useState, useSyncExternalStore } from 'react';
import type { PatientVisit } from '#contract/patient.ts';
import { followVisit, type Followed, type Following } from './follow-visit.ts';

const nothing: Followed = { visit: null, gone: false, taps: [], refused: null };
const watchNothing = () => () => {};
const seeNothing = () => nothing;

/** Follows the visit of a token while the page is on screen; `first` is what the page came with. */
export function useVisit(token: string, first: PatientVisit | null): Followed & { following: Following | null } {
  const [brought] = useState(first);
  const [following, setFollowing] = useState<Following | null>(null);
  useEffect(() => {
    const started = followVisit(token, brought);
    setFollowing(started);
    return started.stop;
  }, [token, brought]);
  const followed = useSyncExternalStore(following?.watch ?? watchNothing, following?.now ?? seeNothing);
  return following ? { ...followed, following } : { ...nothing, visit: brought, following };
}
