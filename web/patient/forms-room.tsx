import { useLingui } from '@lingui/react/macro';
import { useEffect, useState } from 'react';
import type { PatientVisit } from '#contract/patient.ts';
import { formPlaceOf, type Go } from '#web/features/forms-phone/address.ts';
import { loadWords } from '#web/features/forms-phone/words.ts';
import { serverNow } from '#web/kit/clock.ts';

export { VisitFormsList } from '#web/features/forms-phone/visit-forms.tsx';

/** The forms bring their own words. */
export const ready = loadWords;

interface FormRoomProps {
  token: string;
  path: string;
  visit: PatientVisit;
  go: Go;
}

type FormModule = typeof import('#web/features/forms-phone/form-page.tsx');
let fetched: FormModule | null = null;

/** One form; what fills it is fetched when the first one is opened, as soon as the network lets it. */
export function FormRoom({ token, path, visit, go }: FormRoomProps) {
  const { t } = useLingui();
  const [loaded, setLoaded] = useState(fetched);
  const [failed, setFailed] = useState(false);
  const place = formPlaceOf(path);

  useEffect(() => {
    if (loaded) return;
    const load = () =>
      import('#web/features/forms-phone/form-page.tsx').then(
        (page) => setLoaded((fetched = page)),
        () => setFailed(true),
      );
    void load();
    // A module that failed once is not fetched again by every browser: the page is loaded anew.
    const again = () => failed && location.reload();
    window.addEventListener('online', again);
    return () => window.removeEventListener('online', again);
  }, [loaded, failed]);

  if (!place) return null;
  if (!loaded)
    return failed ? (
      <p role="alert">
        {t`No connection.`} <a href={path}>{t`Try again`}</a>
      </p>
    ) : null;
  const { memberId, formType } = place;
  // The office's day, as YYYY-MM-DD.
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: visit.timeZone }).format(serverNow());
  return (
    <loaded.FormPage
      key={`${memberId}/${formType}`}
      token={token}
      place={place}
      today={today}
      officeName={visit.officeName}
      go={go}
    />
  );
}
