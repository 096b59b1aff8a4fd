import { Trans, useLingui } from '@lingui/react/macro';
import type { AmbuPatient } from '#contract/ambulatory/shapes.ts';
import { CheckCircleIcon } from '#web/icons/check-circle.tsx';
import { ClockIcon } from '#web/icons/clock.tsx';
import { OfficeMoment } from '#web/kit/when.tsx';
import { StatusBadge } from '#web/panel/ui/status-badge.tsx';
import css from './ambulatory.module.css';
import { useSurveyName } from './survey-names.ts';
import { surveyStanding } from './survey-standing.ts';

/** Whether the surveys are complete, and which one was answered last, and when. */
export function LastSurvey({ patient }: { patient: AmbuPatient }) {
  const { t } = useLingui();
  const nameOf = useSurveyName();
  const { lastFormType: type, lastFormSubmission: at } = patient;
  const standing = surveyStanding(patient);
  if (standing === 'none') return '–';
  if (standing === 'not-due') return <span className={css.small}>{t`None due yet`}</span>;
  return (
    <span className={css.inline}>
      {standing === 'complete' ? (
        <StatusBadge tone="green" icon={CheckCircleIcon}>{t`Complete`}</StatusBadge>
      ) : (
        <StatusBadge tone="amber" icon={ClockIcon}>{t`Incomplete`}</StatusBadge>
      )}
      {type !== null && at !== null && (
        <span className={css.small}>
          {standing === 'complete' ? (
            <>
              {nameOf(type)}, <OfficeMoment at={at} />
            </>
          ) : (
            <Trans>
              last answered <OfficeMoment at={at} />
            </Trans>
          )}
        </span>
      )}
    </span>
  );
}
