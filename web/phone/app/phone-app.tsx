import { Component, useCallback, useEffect, useState, type ReactNode } from 'react';
import type { PatientBoot } from '#contract/patient/page-boot.ts';
import { parseFormPath, isSharePath, type NavigateToForm } from '#web/phone/features/forms/form-address.ts';
import { Frame } from '#web/phone/ui/frame.tsx';
import { PageNotFound } from '#web/phone/features/check-in/later-notices.tsx';
import { Greeting } from '#web/phone/features/check-in/greeting.tsx';
import { boot } from '#web/kit/boot.ts';
import { firstPaint } from '#web/kit/first-paint.ts';
import { LoadFailed } from './load-failed.tsx';

// The pages are chunks of their own, asked for once the practice's name and greeting are on screen. (React's `lazy` would
// hold them back for another 300 ms.)
const load = {
  arrival: () => import('#web/phone/features/check-in/check-in-page.tsx'),
  visit: () => import('#web/phone/features/visit/visit-page.tsx'),
  forms: () => withMessages(import('./visit-forms/visit-forms-pages.tsx')),
  outside: () => withMessages(import('./shared-forms-page.tsx')),
  episode: () => withMessages(import('./episode/episode-pages.tsx')),
};
/** Loads a page's own messages with it. */
async function withMessages<Page extends { loadMessages: () => Promise<void> }>(loading: Promise<Page>): Promise<Page> {
  const page = await loading;
  await page.loadMessages();
  return page;
}
type PageModules = { [Page in keyof typeof load]?: Awaited<ReturnType<(typeof load)[Page]>> };

/** What an address that does not exist leads back to; null for every address of ours. */
function startInsteadOf(path: string): string | null {
  const [start = ''] = /^\/(?:visit|c\/t|c)\/[^/]+/.exec(path) ?? [];
  const below = path.slice(start.length).replace(/\/$/, '');
  const isOurs = below === '' || (start.startsWith('/visit/') && (parseFormPath(path) !== null || isSharePath(path)));
  return start === '' || isOurs ? null : start;
}

type Route = { page: 'visit'; token: string } | { page: 'arrival'; npi: string } | { page: 'outside' | 'episode' };

/**
 * Which visit or office an address is about: `/visit/{token}`, `/c/t/{token}`, `/c/{npi}`; no address of ours is about what was shared, or about
 * the days after a surgery (`/episode/{token}`).
 */
function routeOf(path: string): Route {
  const token = /^\/(?:visit|c\/t)\/([^/]+)/.exec(path)?.[1];
  if (token !== undefined) return { page: 'visit', token };
  if (path.startsWith('/form')) return { page: 'outside' };
  if (path.startsWith('/episode/')) return { page: 'episode' };
  return { page: 'arrival', npi: /^\/c\/([^/]+)/.exec(path)?.[1] ?? '' };
}

/** The page on screen, then the pages that may be needed next, so that losing the network does not matter. */
const loadOrder = {
  visit: ['visit', 'forms', 'arrival'],
  arrival: ['arrival', 'visit', 'forms'],
  outside: ['outside'],
  episode: ['episode'],
} as const;

const arrivedAt = location.pathname;
const bootData = boot<PatientBoot>();
/** The page that lists the forms need not be waited for. */
const areFormsDone = bootData.forms?.members.every(({ forms }) => forms.every(({ state }) => state === 'submitted'));

/** The page of the address. A visit that starts here changes the address to its own, so that a reload shows it again. */
export function PhoneApp() {
  const [path, setPath] = useState(arrivedAt);
  const [loaded, setLoaded] = useState<PageModules>({});
  const [broken, setBroken] = useState(false);
  const { front = null, visit = null, refused = null, endedLink } = path === arrivedAt ? bootData : {};
  const { forms: room } = loaded;
  const place = routeOf(path);
  const isForm = path.includes('/forms/');
  const go = useCallback<NavigateToForm>((to, { replace = false } = {}) => {
    if (replace) history.replaceState(history.state, '', to);
    else history.pushState({ from: location.pathname }, '', to);
    setPath(location.pathname);
  }, []);

  useEffect(() => {
    const follow = () => setPath(location.pathname);
    const fetchPage = async (page: keyof typeof load) => {
      await firstPaint();
      const chunk = await load[page]();
      setLoaded((before) => ({ ...before, [page]: chunk }));
    };
    const [now, ...later] = loadOrder[place.page];
    const fetchLater = async () => {
      for (const next of later) await fetchPage(next).catch(() => undefined);
    };
    fetchPage(now).then(fetchLater, () => setBroken(true));
    window.addEventListener('popstate', follow);
    return () => window.removeEventListener('popstate', follow);
  }, [place.page]);
  const forgetEntries = useCallback(() => room?.forgetVisitForms(), [room]);
  const toVisit = (token: string) => {
    history.replaceState({ from: location.pathname }, '', `/visit/${token}`);
    setPath(location.pathname);
  };

  const start = startInsteadOf(path);
  const show = () => {
    if (start !== null) return <PageNotFound isVisit={place.page === 'visit'} start={start} />;
    if (place.page === 'visit' && loaded.visit) {
      const { token } = place;
      return (
        <loaded.visit.VisitPage
          key={token}
          token={token}
          first={visit}
          firstFront={front}
          ended={refused !== null}
          endedLink={endedLink}
          instead={isForm ? (of) => room && <room.VisitFormsPage token={token} path={path} visit={of} go={go} /> : null}
          below={room && ((of) => <room.VisitFormsList token={token} visit={of} go={go} />)}
          toForms={room ? <room.NextFormLink token={token} go={go} /> : areFormsDone ? null : undefined}
          onVisit={() => go(`/visit/${token}`)}
          onStatusOnly={forgetEntries}
        />
      );
    }
    if (place.page === 'arrival' && loaded.arrival)
      return <loaded.arrival.CheckInPage npi={place.npi} first={front} unknown={refused !== null} onVisit={toVisit} />;
    if (place.page === 'outside' && loaded.outside) return <loaded.outside.SharedFormsPage />;
    if (place.page === 'episode' && loaded.episode) return <loaded.episode.EpisodePages path={path} go={go} />;
    return broken ? <LoadFailed /> : <FirstPaint greets={path === arrivedAt} />;
  };
  return <ErrorBoundary>{show()}</ErrorBoundary>;
}

/** What the server wrote into the page, before any page chunk is loaded. */
function FirstPaint({ greets }: { greets: boolean }) {
  const { front, visit } = bootData;
  const takesCheckIns = front?.office.isOpen && !front.running;
  return (
    <Frame {...(front?.office ?? visit)}>
      {greets && takesCheckIns && <Greeting greeting={front.office.greeting} />}
    </Frame>
  );
}

/** After a bug on the page: offers to load it again. */
class ErrorBoundary extends Component<{ children: ReactNode }, { broken: boolean }> {
  override state = { broken: false };
  static getDerivedStateFromError() {
    return { broken: true };
  }
  override render() {
    return this.state.broken ? <LoadFailed /> : this.props.children;
  }
}
