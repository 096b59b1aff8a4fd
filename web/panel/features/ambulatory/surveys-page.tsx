import { useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import type { PlannedSurvey } from '#contract/ambulatory/surveys.ts';
import { withPhotoQuestion } from '#contract/ambulatory/photo-question.ts';
import { PlusIcon } from '#web/icons/plus.tsx';
import { useLanguage } from '#web/kit/i18n.ts';
import { PreviewDialog } from '#web/panel/features/forms-settings/index.ts';
import { Button } from '#web/panel/ui/button.tsx';
import { Card } from '#web/panel/ui/card.tsx';
import { LoadError } from '#web/panel/ui/load-error.tsx';
import { Page } from '#web/panel/ui/page.tsx';
import { Skeleton } from '#web/panel/ui/skeleton.tsx';
import { AddSurvey } from './add-survey.tsx';
import { DeleteSurvey } from './delete-survey.tsx';
import { SurveyRow } from './survey-row.tsx';
import { SurveySettings } from './survey-settings.tsx';
import css from './surveys.module.css';
import { useSurveyPlan } from './use-survey-plan.ts';

/** `/dashboard/surveys`: what patients are asked on which day, and what calls a nurse. */
export function SurveysPage() {
  const { t } = useLingui();
  const language = useLanguage();
  const plan = useSurveyPlan();
  const [isAdding, setAdding] = useState(false);
  const [deleting, setDeleting] = useState<PlannedSurvey | null>(null);
  const [previewed, setPreviewed] = useState<PlannedSurvey | null>(null);
  const { data } = plan;
  return (
    <Page
      title={t`Surveys`}
      actions={
        <Button variant="filled" icon={PlusIcon} locked={!data} aria-haspopup="dialog" onClick={() => setAdding(true)}>
          {t`Add Survey`}
        </Button>
      }
    >
      {plan.isPending && [280, 240].map((height) => <Skeleton key={height} height={height} />)}
      {plan.isError && !data && <LoadError title={t`The surveys could not be loaded`} query={plan} />}
      {data && (
        <>
          <Card>
            <ol className={css.surveys}>
              {data.surveys.map((survey) => (
                <SurveyRow
                  key={survey.id}
                  survey={survey}
                  questionnaires={data.questionnaires}
                  onPreview={() => setPreviewed(survey)}
                  onDelete={() => setDeleting(survey)}
                />
              ))}
            </ol>
          </Card>
          <SurveySettings saved={data.settings} />
        </>
      )}
      {data && isAdding && <AddSurvey plan={data} onClose={() => setAdding(false)} />}
      {deleting && <DeleteSurvey survey={deleting} onClose={() => setDeleting(null)} />}
      {previewed && (
        <PreviewDialog
          previewed={{
            name: previewed.formName[language],
            definitionId: previewed.definitionId,
            ...(previewed.photo && { addQuestions: withPhotoQuestion }),
          }}
          onClose={() => setPreviewed(null)}
        />
      )}
    </Page>
  );
}
