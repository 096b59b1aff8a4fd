import { useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import type { EndedLink } from '#contract/ended-link.ts';
import type { PatientVisit } from '#contract/patient/visit.ts';
import buttons from '#web/questionnaire/ui/button.module.css';
import { Frame } from '#web/phone/ui/frame.tsx';
import { ClockIcon } from '#web/icons/clock.tsx';
import { Notice } from '#web/phone/ui/notice.tsx';
import { useStatusMessages } from '#web/phone/features/visit/index.ts';
import css from './visit-over.module.css';

/** The patient came in, or is in line by another check-in: what they do next is at the desk, not one more check-in. */
const needsNoOther = ({ statusCode, endReason }: PatientVisit) =>
  statusCode === 'PATIENT_DONE' || endReason === 'seen' || endReason === 'duplicate';

/** A goodbye, and a link to check in again if the practice allows it today. `isNews`: the visit ended while this page was open. */
export function VisitOver({ visit, isNews }: { visit: PatientVisit; isNews: boolean }) {
  const { t } = useLingui();
  // The button that ended it had the focus, and is gone.
  const [hasLostFocus] = useState(() => isNews && document.activeElement === document.body);
  const { icon, tone, title, todo } = useStatusMessages(visit);
  const { mayCheckInAgain } = visit;
  return (
    <Notice icon={icon} tone={tone === 'blue' ? 'gray' : tone} title={title} focus={hasLostFocus}>
      <p>{todo}</p>
      {needsNoOther(visit) ? (
        mayCheckInAgain && (
          <details className={css.another}>
            <summary>{t`Another visit?`}</summary>
            <CheckInAgain npi={visit.npi} />
          </details>
        )
      ) : mayCheckInAgain ? (
        <CheckInAgain npi={visit.npi} />
      ) : (
        <p>{t`Check-in is closed right now.`}</p>
      )}
    </Notice>
  );
}

function CheckInAgain({ npi }: { npi: string }) {
  const { t } = useLingui();
  return (
    <a className={buttons.plain} href={`/c/${npi}`}>
      {t`Check in again`}
    </a>
  );
}

/** The link has expired or never existed: then nobody knows whose it was. */
export function LinkEnded({ link }: { link: EndedLink | undefined }) {
  const { t } = useLingui();
  return (
    <Frame officeName={link?.officeName} officePhone={link?.officePhone}>
      <Notice icon={ClockIcon} title={t`This link has expired`}>
        <p>{t`Links work for two days. Please scan the code on the poster to check in, or ask at the front desk.`}</p>
      </Notice>
    </Frame>
  );
}
