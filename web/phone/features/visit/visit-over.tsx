import { useLingui } from '@lingui/react/macro';
import type { PatientVisit } from '#contract/patient.ts';
import buttons from '#web/questionnaire/ui/button.module.css';
import { Frame } from '#web/phone/ui/frame.tsx';
import { ClockIcon } from '#web/icons/clock.tsx';
import { Notice } from '#web/phone/ui/notice.tsx';
import { useStatusMessages } from './status-messages.ts';

/** A goodbye, and a link to check in again if the practice allows it today. */
export function VisitOver({ visit }: { visit: PatientVisit }) {
  const { t } = useLingui();
  const { icon, tone, title, todo } = useStatusMessages(visit);
  return (
    <Notice icon={icon} tone={tone === 'blue' ? 'gray' : tone} title={title}>
      <p>{todo}</p>
      {visit.mayCheckInAgain ? (
        <a className={buttons.plain} href={`/c/${visit.npi}`}>
          {t`Check in again`}
        </a>
      ) : (
        <p>{t`The practice takes no check-ins right now.`}</p>
      )}
    </Notice>
  );
}

/** The link has expired or never existed. */
export function LinkEnded() {
  const { t } = useLingui();
  return (
    <Frame>
      <Notice icon={ClockIcon} title={t`This link has ended`}>
        <p>{t`Links work for two days. Please scan the code on the poster to check in, or ask at the front desk.`}</p>
      </Notice>
    </Frame>
  );
}
