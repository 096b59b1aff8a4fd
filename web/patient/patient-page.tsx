import { Component, useCallback, useEffect, useState, type ReactNode } from 'react';
import type { PatientBoot, PatientVisit } from '#contract/patient.ts';
import { formPlaceOf, type FormPlace, type Go } from '#web/features/forms-phone/address.ts';
import { Frame } from '#web/features/patient/frame.tsx';
import { Greeting } from '#web/features/patient/greeting.tsx';
import { boot } from '#web/kit/boot.ts';
import { serverNow } from '#web/kit/clock.ts';
import { painted } from '#web/kit/painted.ts';
import { Broken } from './broken.tsx';

/** The forms bring their own words. */
const withWords = async <Room,>(load: () => Promise<Room>): Promise<Room> => {
  const words = import('#web/features/forms-phone/words.ts').then(({ loadWords }) => loadWords());
  const [room] = await Promise.all([load(), words]);
  return room;
};

// The pages are chunks of their own, asked for once the practice's name and greeting are on screen. (React's `lazy` would
// hold them back for another 300 ms.)
const load = {
  arrival: () => import('#web/features/patient/arrival-page.tsx'),
  visit: () => import('#web/features/patient/visit-page.tsx'),
  forms: () => withWords(() => import('#web/features/forms-phone/visit-forms.tsx')),
  form: () => withWords(() => import('#web/features/forms-phone/form-page.tsx')),
};
type Loaded = { [Page in keyof typeof load]?: Awaited<ReturnType<(typeof load)[Page]>> };

/** Which visit or office an address is about: `/visit/{token}`, `/c/t/{token}`, `/c/{npi}`. */
function placeOf(path: string): { page: 'visit'; token: string } | { page: 'arrival'; npi: string } {
  const token = /^\/(?:visit|c\/t)\/([^/]+)/.exec(path)?.[1];
  if (token !== undefined) return { page: 'visit', token };
  return { page: 'arrival', npi: /^\/c\/([^/]+)/.exec(path)?.[1] ?? '' };
}

/** The office's day, as `YYYY-MM-DD`. */
const dayOf = (timeZone: string) => new Intl.DateTimeFormat('en-CA', { timeZone }).format(serverNow());

const arrivedAt = location.pathname;
const brought = boot<PatientBoot>();

/** The page of the address. A visit that begins here takes the address over, so that a reload comes back to it. */
export function PatientPage() {
  const [path, setPath] = useState(arrivedAt);
  const [loaded, setLoaded] = useState<Loaded>({});
  const [broken, setBroken] = useState(false);
  const { front = null, visit = null, refused = null } = path === arrivedAt ? brought : {};
  const place = placeOf(path);
  const form = formPlaceOf(path);
  const isForm = form !== null;
  const go = useCallback<Go>((to, { replace = false } = {}) => {
    if (replace) history.replaceState(history.state, '', to);
    else history.pushState({ from: location.pathname }, '', to);
    setPath(location.pathname);
  }, []);

  useEffect(() => {
    const follow = () => setPath(location.pathname);
    const fetchPage = async (page: keyof typeof load) => {
      await painted();
      const chunk = await load[page]();
      setLoaded((before) => ({ ...before, [page]: chunk }));
    };
    // The page of the address, then what may be needed next, maybe when the network is gone.
    const visitWithForms = isForm ? (['visit', 'form', 'forms'] as const) : (['visit', 'forms'] as const);
    const [now, ...later] =
      place.page === 'visit' ? ([...visitWithForms, 'arrival'] as const) : (['arrival', ...visitWithForms] as const);
    const fetchLater = async () => {
      for (const next of later) await fetchPage(next).catch(() => undefined);
    };
    fetchPage(now).then(fetchLater, () => setBroken(true));
    window.addEventListener('popstate', follow);
    return () => window.removeEventListener('popstate', follow);
  }, [place.page, isForm]);
  const toVisit = (token: string) => {
    history.replaceState(null, '', `/visit/${token}`);
    setPath(location.pathname);
  };

  const show = () => {
    if (place.page === 'visit' && loaded.visit) {
      const { token } = place;
      const { forms, form: formPage } = loaded;
      const below = forms && <forms.VisitFormsList token={token} go={go} />;
      const showForm = (given: FormPlace) => (of: PatientVisit) =>
        formPage ? (
          <formPage.FormPage
            key={`${given.memberId}/${given.formType}`}
            token={token}
            place={given}
            today={dayOf(of.timeZone)}
            officeName={of.officeName}
            go={go}
          />
        ) : null;
      return (
        <loaded.visit.VisitPage
          key={token}
          token={token}
          first={visit}
          firstFront={front}
          ended={refused !== null}
          instead={form && showForm(form)}
          below={below}
          onVisit={() => go(`/visit/${token}`)}
        />
      );
    }
    if (place.page === 'arrival' && loaded.arrival)
      return <loaded.arrival.ArrivalPage npi={place.npi} first={front} unknown={refused !== null} onVisit={toVisit} />;
    return broken ? <Broken /> : <FirstPaint greets={path === arrivedAt} />;
  };
  return <IfBroken>{show()}</IfBroken>;
}

/** What the server brought, before anything else of the page is here. */
function FirstPaint({ greets }: { greets: boolean }) {
  const { front, visit } = brought;
  const takesCheckIns = front?.office.isOpen && front.office.checkinEnabled && !front.running;
  return (
    <Frame {...(front?.office ?? visit)}>
      {greets && takesCheckIns && <Greeting greeting={front.office.greeting} />}
    </Frame>
  );
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
