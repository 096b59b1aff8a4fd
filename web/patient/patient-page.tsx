import { Component, lazy, Suspense, useEffect, useState, type ReactNode } from 'react';
import type { PatientBoot } from '#contract/patient.ts';
import { Frame } from '#web/features/patient/frame.tsx';
import { boot } from '#web/kit/boot.ts';
import { Broken } from './broken.tsx';

// Both pages are chunks of their own, asked for as soon as this one runs.
const loadArrival = () => import('#web/features/patient/arrival-page.tsx');
const loadVisit = () => import('#web/features/patient/visit-page.tsx');
const ArrivalPage = lazy(async () => ({ default: (await loadArrival()).ArrivalPage }));
const VisitPage = lazy(async () => ({ default: (await loadVisit()).VisitPage }));

/** Which visit or office an address is about: `/visit/{token}`, `/c/t/{token}`, `/c/{npi}`. */
function placeOf(path: string): { token: string } | { npi: string } {
  const token = /^\/(?:visit|c\/t)\/([^/]+)/.exec(path)?.[1];
  if (token !== undefined) return { token };
  return { npi: /^\/c\/([^/]+)/.exec(path)?.[1] ?? '' };
}

const arrivedAt = location.pathname;
const brought = boot<PatientBoot>();
void ('token' in placeOf(arrivedAt) ? loadVisit() : loadArrival()).catch(() => undefined);

/** The page of the address. A visit that begins here takes the address over, so that a reload comes back to it. */
export function PatientPage() {
  const [path, setPath] = useState(arrivedAt);
  const place = placeOf(path);
  const { front = null, visit = null, refused = null } = path === arrivedAt ? brought : {};

  useEffect(() => {
    const follow = () => setPath(location.pathname);
    window.addEventListener('popstate', follow);
    // Whoever checks in needs the visit's page next, maybe when the network is gone.
    void loadVisit().catch(() => undefined);
    return () => window.removeEventListener('popstate', follow);
  }, []);
  const toVisit = (token: string) => {
    history.replaceState(null, '', `/visit/${token}`);
    setPath(location.pathname);
  };

  return (
    <IfBroken>
      <Suspense fallback={<Frame {...(brought.front?.office ?? brought.visit)} />}>
        {'token' in place ? (
          <VisitPage key={place.token} token={place.token} first={visit} firstFront={front} ended={refused !== null} />
        ) : (
          <ArrivalPage npi={place.npi} first={front} unknown={refused !== null} onVisit={toVisit} />
        )}
      </Suspense>
    </IfBroken>
  );
}

/** A part of the page that did not come, or a bug: says so and offers to load it again. */
class IfBroken extends Component<{ children: ReactNode }, { broken: boolean }> {
  override state = { broken: false };
  static getDerivedStateFromError() {
    return { broken: true };
  }
  override render() {
    return this.state.broken ? <Broken /> : this.props.children;
  }
}
