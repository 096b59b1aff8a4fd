import { useLingui } from '@lingui/react/macro';
import type { PlannedSurvey, SurveyPlan } from '#contract/ambulatory/surveys.ts';
import { EyeIcon } from '#web/icons/eye.tsx';
import { TrashIcon } from '#web/icons/trash.tsx';
import { useLanguage } from '#web/kit/i18n.ts';
import { Button, IconButton } from '#web/panel/ui/button.tsx';
import { Checkbox, Select } from '#web/panel/ui/field.tsx';
import { ErrorText } from '#web/panel/ui/trouble.tsx';
import css from './surveys.module.css';
import { useChangeSurvey } from './use-survey-plan.ts';

interface SurveyRowProps {
  survey: PlannedSurvey;
  questionnaires: SurveyPlan['questionnaires'];
  onPreview: () => void;
  onDelete: () => void;
}

/** A survey of the plan: its day, its questions, and if it is a day's, whether it asks for a photo. Only the last day's survey can be deleted. */
export function SurveyRow({ survey, questionnaires, onPreview, onDelete }: SurveyRowProps) {
  const { t } = useLingui();
  const language = useLanguage();
  const change = useChangeSurvey(survey.id);
  const { type, day, formType, photo, deletable } = change.isPending ? { ...survey, ...change.variables } : survey;
  const isLast = type === 'ambu-satisfaction';
  return (
    <li className={css.survey}>
      <h2 className={css.day}>{t`Day ${day}`}</h2>
      <div className={css.fields}>
        <Select
          label={t`Questions`}
          value={formType}
          {...(isLast && { hint: t`The satisfaction survey is always the last one.` })}
          onChange={(event) => change.mutate({ formType: event.target.value, photo })}
        >
          {questionnaires.map((form) => (
            <option key={form.formType} value={form.formType}>
              {form.name[language]}
            </option>
          ))}
        </Select>
        {!isLast && (
          <Checkbox
            label={t`Also ask for a photo of the wound`}
            checked={photo}
            onChange={(event) => change.mutate({ formType, photo: event.target.checked })}
          />
        )}
        <ErrorText error={change.error} />
      </div>
      <div className={css.buttons}>
        <Button size="s" icon={EyeIcon} aria-haspopup="dialog" aria-label={t`Preview, day ${day}`} onClick={onPreview}>
          {t`Preview`}
        </Button>
        {deletable && (
          <IconButton
            label={t`Delete the survey of day ${day}`}
            icon={TrashIcon}
            size="s"
            tip="below-end"
            aria-haspopup="dialog"
            onClick={onDelete}
          />
        )}
      </div>
    </li>
  );
}
