import { useLingui } from '@lingui/react/macro';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { ArrowLeftIcon } from '#web/icons/arrow-left.tsx';
import { PersonIcon } from '#web/icons/person.tsx';
import { useTitle } from '#web/kit/title.ts';
import { FormViewer } from '#web/panel/features/forms/index.ts';
import { Card } from '#web/panel/ui/card.tsx';
import { EmptyState } from '#web/panel/ui/empty-state.tsx';
import { LoadError } from '#web/panel/ui/load-error.tsx';
import { Skeleton } from '#web/panel/ui/skeleton.tsx';
import { CallbackHistory } from './callback-history.tsx';
import css from './details.module.css';
import { rememberedList } from './list-memory.ts';
import { useOpenedCallback } from './new-callbacks.ts';
import { NotesCard } from './notes-card.tsx';
import { PainChart } from './pain-chart.tsx';
import { painDays } from './pain-days.ts';
import { PatientHead } from './patient-head.tsx';
import { SurveyForms, type SurveyForm } from './survey-forms.tsx';
import { usePatientFile, type PatientIds } from './use-patient-file.ts';

const route = getRouteApi('/office/ambulatory/dashboard/patient-details');

/** `/dashboard/patient-details`: one patient after surgery, with pain scores, surveys, callbacks and notes. */
export function PatientDetailsPage() {
  const { t } = useLingui();
  useTitle(t`Patient details`);
  const { user, episode } = route.useSearch();
  return (
    <div className={css.page}>
      <Link to="/dashboard/patients" search={rememberedList().address} className={css.back}>
        <ArrowLeftIcon /> {t`All patients`}
      </Link>
      {user === undefined || episode === undefined ? (
        <>
          <h1 className={css.hidden}>{t`Patient details`}</h1>
          <EmptyState icon={PersonIcon} title={t`Select a patient`} />
        </>
      ) : (
        <Details key={episode} userCode={user} userId={episode} />
      )}
    </div>
  );
}

function Details(ids: PatientIds) {
  const { t } = useLingui();
  const file = usePatientFile(ids);
  useOpenedCallback(ids.userId);
  const [form, setForm] = useState<SurveyForm | null>(null);
  const { data } = file;
  if (!data)
    return (
      <>
        <h1 className={css.hidden}>{t`Patient details`}</h1>
        {file.isError ? (
          <LoadError title={t`The patient could not be loaded`} query={file} />
        ) : (
          [64, 260, 160].map((height) => <Skeleton key={height} height={height} />)
        )}
      </>
    );
  return (
    <>
      <PatientHead file={data} />
      <Card title={t`Pain by day`}>
        <PainChart days={painDays(data)} />
      </Card>
      <div className={css.columns}>
        <div className={css.column}>
          <SurveyForms surveys={data.surveys} openKey={form?.objectKey} onOpen={setForm} />
          {form && <FormViewer formKey={form.objectKey} title={form.formName} onClose={() => setForm(null)} />}
        </div>
        <div className={css.column}>
          <NotesCard file={data} />
          <CallbackHistory callbacks={data.callbacks} />
        </div>
      </div>
    </>
  );
}
