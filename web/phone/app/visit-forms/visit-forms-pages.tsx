import { useLingui } from '@lingui/react/macro';
import { useEffect, useState } from 'react';
import type { PatientVisit } from '#contract/patient.ts';
import { parseFormPath, isSharePath, type Go } from '#web/phone/features/forms/form-address.ts';
import { dropPrefetchedForm } from '#web/phone/features/forms/filling/prefetched-form.ts';
import { allForms, forgetForms, useVisitForms } from '#web/phone/features/forms/use-visit-forms.ts';
import { loadMessages } from '#web/phone/features/forms/messages.ts';
import { serverNow } from '#web/kit/clock.ts';

export { VisitFormsList } from '#web/phone/features/forms/visit-forms.tsx';

/** A texted link of the visit is in use elsewhere: nothing of what was fetched stays on this page. */
export function forgetVisitForms(): void {
  forgetForms();
  dropPrefetchedForm();
}

/** The forms bring their own words. */
export const ready = loadMessages;

interface VisitFormsPageProps {
  token: string;
  path: string;
  visit: PatientVisit;
  go: Go;
}

const load = {
  form: () => import('#web/phone/features/forms/filling/form-page.tsx'),
  share: async () => {
    const page = await import('#web/phone/features/sharing/share-page.tsx');
    await page.ready();
    return page;
  },
};
type Loaded = { [Room in keyof typeof load]?: Awaited<ReturnType<(typeof load)[Room]>> };
let fetched: Loaded = {};

/** One form, or the links by which forms are shared; what it takes is fetched when the first one is opened, as soon as the network lets it. */
export function VisitFormsPage({ token, path, visit, go }: VisitFormsPageProps) {
  const { t } = useLingui();
  const [loaded, setLoaded] = useState(fetched);
  const [failed, setFailed] = useState(false);
  const route = parseFormPath(path);
  const room = isSharePath(path) ? 'share' : route && 'form';
  const isHere = room !== null && loaded[room] !== undefined;

  useEffect(() => {
    if (isHere || room === null) return;
    const fetchRoom = () =>
      load[room]().then(
        (page) => setLoaded((fetched = { ...fetched, [room]: page })),
        () => setFailed(true),
      );
    void fetchRoom();
    // A module that failed once is not fetched again by every browser: the page is loaded anew.
    const again = () => failed && location.reload();
    window.addEventListener('online', again);
    return () => window.removeEventListener('online', again);
  }, [room, isHere, failed]);

  if (room === null) return null;
  if (!isHere)
    return failed ? (
      <p role="alert">
        {t`No connection.`} <a href={path}>{t`Try again`}</a>
      </p>
    ) : null;
  if (loaded.share && room === 'share')
    return <SharePageOfVisit page={loaded.share} token={token} onVisit={() => go(`/visit/${token}`)} />;
  if (!loaded.form || !route) return null;
  const { memberId, formType } = route;
  // The office's day, as YYYY-MM-DD.
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: visit.timeZone }).format(serverNow());
  return (
    <loaded.form.FormPage
      key={`${memberId}/${formType}`}
      token={token}
      route={route}
      today={today}
      officeName={visit.officeName}
      go={go}
    />
  );
}

interface SharePageOfVisitProps {
  page: NonNullable<Loaded['share']>;
  token: string;
  onVisit: () => void;
}

function SharePageOfVisit({ page: { SharePage }, token, onVisit }: SharePageOfVisitProps) {
  const known = useVisitForms(token);
  const forms = allForms(known).flatMap(({ submissionId, formName, name }) =>
    submissionId === null ? [] : [{ submissionId, formName, name }],
  );
  return <SharePage token={token} forms={known && forms} onVisit={onVisit} />;
}
