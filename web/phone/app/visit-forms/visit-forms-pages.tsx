import { useEffect, useState } from 'react';
import type { PatientVisit } from '#contract/patient/visit.ts';
import { parseFormPath, isSharePath, type NavigateToForm } from '#web/phone/features/forms/form-address.ts';
import { dropPrefetchedForm } from '#web/phone/features/forms/prefetched-form.ts';
import { loadQuestionMessages } from '#web/phone/features/forms/messages.ts';
import { allForms, forgetForms, useVisitForms } from '#web/phone/features/forms/use-visit-forms.ts';
import { serverNow } from '#web/kit/clock.ts';
import { dayOf } from '#web/kit/office-clock.ts';
import { NoConnection } from '#web/phone/ui/no-connection.tsx';

export { loadMessages } from '#web/phone/features/forms/messages.ts';
export { NextFormLink, VisitFormsList } from '#web/phone/features/forms/visit-forms.tsx';

/** A texted link of the visit is in use elsewhere, so this page drops everything it fetched. */
export function forgetVisitForms(): void {
  forgetForms();
  dropPrefetchedForm();
}

interface VisitFormsPageProps {
  token: string;
  path: string;
  visit: PatientVisit;
  go: NavigateToForm;
}

const load = {
  form: async () => {
    const [page] = await Promise.all([
      import('#web/phone/features/forms/filling/form-page.tsx'),
      loadQuestionMessages(),
    ]);
    return page;
  },
  share: async () => {
    const page = await import('#web/phone/features/sharing/share-page.tsx');
    await page.ready();
    return page;
  },
};
type PageModules = { [Page in keyof typeof load]?: Awaited<ReturnType<(typeof load)[Page]>> };
let fetched: PageModules = {};

/** One form, or the page to share forms. Fetches the page when it is first opened. */
export function VisitFormsPage({ token, path, visit, go }: VisitFormsPageProps) {
  const [loaded, setLoaded] = useState(fetched);
  const [failed, setFailed] = useState(false);
  const route = parseFormPath(path);
  const page = isSharePath(path) ? 'share' : route && 'form';
  const isHere = page !== null && loaded[page] !== undefined;

  useEffect(() => {
    if (isHere || page === null) return;
    const fetchPage = () =>
      load[page]().then(
        (module) => setLoaded((fetched = { ...fetched, [page]: module })),
        () => setFailed(true),
      );
    void fetchPage();
    // Not every browser fetches a module again after a failure, so this reloads the page.
    const again = () => failed && location.reload();
    window.addEventListener('online', again);
    return () => window.removeEventListener('online', again);
  }, [page, isHere, failed]);

  if (page === null) return null;
  if (!isHere) return failed ? <NoConnection href={path} /> : null;
  if (loaded.share && page === 'share')
    return <SharePageOfVisit page={loaded.share} token={token} onVisit={() => go(`/visit/${token}`)} />;
  if (!loaded.form || !route) return null;
  const { memberId, formType } = route;
  const today = dayOf(serverNow(), visit.timeZone);
  return (
    <loaded.form.FormPage
      key={`${memberId}/${formType}`}
      token={token}
      route={route}
      today={today}
      timeZone={visit.timeZone}
      officeName={visit.officeName}
      go={go}
    />
  );
}

interface SharePageOfVisitProps {
  page: NonNullable<PageModules['share']>;
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
