import { useLingui } from '@lingui/react/macro';
import type { PatientSurvey } from '#contract/ambulatory/shapes.ts';
import { CheckCircleIcon } from '#web/icons/check-circle.tsx';
import { ClockIcon } from '#web/icons/clock.tsx';
import { CloseCircleIcon } from '#web/icons/close-circle.tsx';
import { DownloadIcon } from '#web/icons/download.tsx';
import { FormIcon } from '#web/icons/form.tsx';
import { OfficeMoment } from '#web/kit/when.tsx';
import { DownloadZip, useDownloadForm } from '#web/panel/features/forms/index.ts';
import { Button, IconButton } from '#web/panel/ui/button.tsx';
import { Card } from '#web/panel/ui/card.tsx';
import { StatusBadge } from '#web/panel/ui/status-badge.tsx';
import { ErrorText } from '#web/panel/ui/trouble.tsx';
import { VisuallyHidden } from '#web/kit/visually-hidden.tsx';
import css from './details.module.css';
import { PlainDay } from '#web/kit/plain-day.tsx';
import { useSurveyName } from './survey-names.ts';

/** A survey that was answered: its PDF. */
export interface SurveyForm {
  objectKey: string;
  formName: string;
}

interface SurveyFormsProps {
  surveys: readonly PatientSurvey[];
  /** The form that is shown below. */
  openKey: string | undefined;
  onOpen: (form: SurveyForm) => void;
}

/** The patient's surveys, newest first: the answered ones are viewed, downloaded, or saved all in one zip. */
export function SurveyForms({ surveys, openKey, onOpen }: SurveyFormsProps) {
  const { t } = useLingui();
  const shown = surveys.filter(({ state }) => state !== 'planned').toReversed();
  const keys = shown.flatMap(({ objectKey }) => objectKey ?? []);
  return (
    <Card
      title={t`Survey forms`}
      actions={keys.length > 0 && <DownloadZip keysOf={async () => keys}>{t`Download All`}</DownloadZip>}
    >
      {shown.length === 0 && <p className={css.small}>{t`No Forms Available`}</p>}
      <ul>
        {shown.map((survey) => (
          <Entry
            key={survey.id}
            survey={survey}
            isOpen={survey.objectKey !== null && survey.objectKey === openKey}
            onOpen={onOpen}
          />
        ))}
      </ul>
    </Card>
  );
}

interface EntryProps extends Pick<SurveyFormsProps, 'onOpen'> {
  survey: PatientSurvey;
  isOpen: boolean;
}

function Entry({ survey: { type, day, dueOn, formName, state, submittedAt, objectKey }, isOpen, onOpen }: EntryProps) {
  const { t } = useLingui();
  const download = useDownloadForm();
  const name = useSurveyName()(type, day);
  return (
    <li className={css.entry} data-open={isOpen || undefined}>
      <div className={css.entryText}>
        <p>{name}</p>
        <p className={css.small}>
          {submittedAt === null ? <PlainDay day={dueOn} /> : <OfficeMoment at={submittedAt} />} · {formName}
        </p>
        <ErrorText error={download.error} />
      </div>
      {state === 'open' && <StatusBadge tone="amber" icon={ClockIcon}>{t`Not answered yet`}</StatusBadge>}
      {state === 'missed' && <StatusBadge tone="gray" icon={CloseCircleIcon}>{t`Not answered`}</StatusBadge>}
      {state === 'submitted' && <StatusBadge tone="green" icon={CheckCircleIcon}>{t`Answered`}</StatusBadge>}
      {objectKey !== null && (
        <div className={css.buttons}>
          <Button size="s" icon={FormIcon} onClick={() => onOpen({ objectKey, formName: name })}>
            {t({ message: 'View', context: 'show a form' })}
            <VisuallyHidden> {name}</VisuallyHidden>
          </Button>
          <IconButton
            label={t`Download ${name}`}
            icon={DownloadIcon}
            size="s"
            tip="below-end"
            aria-busy={download.isPending || undefined}
            onClick={() => download.isPending || download.mutate(objectKey)}
          />
        </div>
      )}
    </li>
  );
}
