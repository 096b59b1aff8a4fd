import { useEffect, useState, useSyncExternalStore } from 'react';
import type { PatientVisit } from '#contract/patient/visit.ts';
import { followVisit, nothingKnown, type VisitState, type VisitFollower } from './follow-visit.ts';

const watchNothing = () => () => {};
const seeNothing = () => nothingKnown;

/** Follows the visit of a token while the page is on screen; `first` is the visit that the server wrote into the page. */
export function useVisit(token: string, first: PatientVisit | null): VisitState & { following: VisitFollower | null } {
  const [brought] = useState(first);
  const [following, setFollowing] = useState<VisitFollower | null>(null);
  useEffect(() => {
    const started = followVisit(token, brought);
    setFollowing(started);
    return started.stop;
  }, [token, brought]);
  const followed = useSyncExternalStore(following?.watch ?? watchNothing, following?.now ?? seeNothing);
  return following ? { ...followed, following } : { ...nothingKnown, visit: brought, following };
}
