import { useLingui } from '@lingui/react/macro';
import { useState, type FormEvent } from 'react';
import { lastPlanDay, type SurveyPlan } from '#contract/ambulatory/surveys.ts';
import { useLanguage } from '#web/kit/i18n.ts';
import { Button } from '#web/panel/ui/button.tsx';
import { Dialog } from '#web/panel/ui/dialog.tsx';
import { Checkbox, Select, TextInput } from '#web/panel/ui/field.tsx';
import { toast } from '#web/panel/ui/toasts.ts';
import { ErrorText } from '#web/panel/ui/trouble.tsx';
import css from './surveys.module.css';
import { useAddSurvey } from './use-survey-plan.ts';

/** Adds a survey after the last day's one; the satisfaction survey moves behind it. */
export function AddSurvey({ plan, onClose }: { plan: SurveyPlan; onClose: () => void }) {
  const { t } = useLingui();
  const language = useLanguage();
  const add = useAddSurvey();
  const ofDays = plan.surveys.filter(({ type }) => type === 'ambu-survey-day');
  const firstDay = Math.max(0, ...ofDays.map(({ day }) => day)) + 1;
  const [typedDay, setTypedDay] = useState(String(firstDay));
  const [formType, setFormType] = useState(ofDays.at(-1)?.formType ?? 'ambu-survey-day');
  const [photo, setPhoto] = useState(false);
  const [tried, setTried] = useState(false);
  const day = /^\d{1,3}$/.test(typedDay.trim()) ? Number(typedDay) : NaN;
  const isValid = day >= firstDay && day <= lastPlanDay;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (!isValid || add.isPending) return;
    add.mutate(
      { day, formType, photo },
      {
        onSuccess() {
          toast({ title: t`The survey of day ${day} was added` });
          onClose();
        },
      },
    );
  };
  return (
    <Dialog
      title={t`Add Survey`}
      onClose={onClose}
      size="s"
      footer={
        <>
          <Button onClick={onClose}>{t`Cancel`}</Button>
          <Button type="submit" form="add-survey" variant="filled" busy={add.isPending}>
            {t`Add`}
          </Button>
        </>
      }
    >
      <form id="add-survey" className={css.form} noValidate onSubmit={submit}>
        <TextInput
          label={t`Day`}
          inputMode="numeric"
          autoComplete="off"
          value={typedDay}
          hint={t`Day 1 is the day after the surgery.`}
          {...(tried && !isValid && { error: t`Enter a day from ${firstDay} to ${lastPlanDay}.` })}
          onChange={(event) => setTypedDay(event.target.value)}
        />
        <Select label={t`Questions`} value={formType} onChange={(event) => setFormType(event.target.value)}>
          {plan.questionnaires.map((form) => (
            <option key={form.formType} value={form.formType}>
              {form.name[language]}
            </option>
          ))}
        </Select>
        <Checkbox
          label={t`Also ask for a photo of the wound`}
          checked={photo}
          onChange={(event) => setPhoto(event.target.checked)}
        />
        <ErrorText error={add.error} />
      </form>
    </Dialog>
  );
}
