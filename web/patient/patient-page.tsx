import { Component, useEffect, useState, type ReactNode } from 'react';
import type { PatientBoot } from '#contract/patient.ts';
import { Frame } from '#web/features/patient/frame.tsx';
import { boot } from '#web/kit/boot.ts';
import { Broken } from './broken.tsx';

// Both pages are chunks of their own, asked for as soon as this one runs. (React's `lazy` would hold them back for 300 ms
// once it has shown something in their place.)
const load = {
  arrival: () => import('#web/features/patient/arrival-page.tsx'),
  visit: () => import('#web/features/patient/visit-page.tsx'),
};
type Loaded = { [Page in keyof typeof load]?: Awaited<ReturnType<(typeof load)[Page]>> };

/** Which visit or office an address is about: `/visit/{token}`, `/c/t/{token}`, `/c/{npi}`. */
function placeOf(path: string): { page: 'visit'; token: string } | { page: 'arrival'; npi: string } {
  const token = /^\/(?:visit|c\/t)\/([^/]+)/.exec(path)?.[1];
  if (token !== undefined) return { page: 'visit', token };
  return { page: 'arrival', npi: /^\/c\/([^/]+)/.exec(path)?.[1] ?? '' };
}

const arrivedAt = location.pathname;
const brought = boot<PatientBoot>();
void load[placeOf(arrivedAt).page]().catch(() => undefined);

/** The page of the address. A visit that begins here takes the address over, so that a reload comes back to it. */
export function PatientPage() {
  const [path, setPath] = useState(arrivedAt);
  const [loaded, setLoaded] = useState<Loaded>({});
  const [broken, setBroken] = useState(false);
  const { front = null, visit = null, refused = null } = path === arrivedAt ? brought : {};
  const place = placeOf(path);

  useEffect(() => {
    const follow = () => setPath(location.pathname);
    const fetchPage = async (page: keyof typeof load) => {
      const chunk = await load[page]();
      setLoaded((before) => ({ ...before, [page]: chunk }));
    };
    // The page of the address, then the other: whoever checks in needs the visit's page next, maybe when the network is gone.
    const [now, next] = place.page === 'visit' ? (['visit', 'arrival'] as const) : (['arrival', 'visit'] as const);
    fetchPage(now).then(
      () => fetchPage(next).catch(() => undefined),
      () => setBroken(true),
    );
    window.addEventListener('popstate', follow);
    return () => window.removeEventListener('popstate', follow);
  }, [place.page]);
  const toVisit = (token: string) => {
    history.replaceState(null, '', `/visit/${token}`);
    setPath(location.pathname);
  };

  const show = () => {
    if (place.page === 'visit' && loaded.visit) {
      const { token } = place;
      return (
        <loaded.visit.VisitPage key={token} token={token} first={visit} firstFront={front} ended={refused !== null} />
      );
    }
    if (place.page === 'arrival' && loaded.arrival)
      return <loaded.arrival.ArrivalPage npi={place.npi} first={front} unknown={refused !== null} onVisit={toVisit} />;
    return broken ? <Broken /> : <Frame {...(brought.front?.office ?? brought.visit)} />;
  };
  return <IfBroken>{show()}</IfBroken>;
}

/** A bug on the page: says so and offers to load it again. */
class IfBroken extends Component<{ children: ReactNode }, { broken: boolean }> {
  override state = { broken: false };
  static getDerivedStateFromError() {
    return { broken: true };
  }
  override render() {
    return this.state.broken ? <Broken /> : this.props.children;
  }
}
