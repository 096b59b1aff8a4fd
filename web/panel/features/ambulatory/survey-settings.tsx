import { useLingui } from '@lingui/react/macro';
import { mostWatchedWords, type AmbuSettings } from '#contract/ambulatory/surveys.ts';
import { errorMessage } from '#web/kit/error-messages.ts';
import { Card } from '#web/panel/ui/card.tsx';
import { Select, TextArea, TextInput } from '#web/panel/ui/field.tsx';
import { PhoneInput } from '#web/panel/ui/phone-input.tsx';
import { SettingsForm } from '#web/panel/ui/settings-form.tsx';
import { toast } from '#web/panel/ui/toasts.ts';
import { useSettingsForm } from '#web/panel/ui/use-settings-form.ts';
import { isChanged, isValid, problemsOf, toDraft, toSettings, type Draft } from './survey-settings-draft.ts';
import css from './surveys.module.css';
import { useSaveSurveySettings } from './use-survey-plan.ts';

const painLimits = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10'];

/** When the surveys are texted, and which answers call a nurse. */
export function SurveySettings({ saved }: { saved: AmbuSettings }) {
  const { t } = useLingui();
  const save = useSaveSurveySettings();
  const settings = useSettingsForm(saved, { toDraft, isChanged, isValid, onRestart: save.reset });
  const { base, draft, setDraft, tried } = settings;
  const problems = tried ? problemsOf(draft) : {};
  const edit = (change: Partial<Draft>) => setDraft((now) => ({ ...now, ...change }));
  const saveDraft = () =>
    save.mutate(toSettings(draft), {
      onSuccess(plan) {
        settings.start(plan.settings);
        toast({
          title: t`Settings saved`,
          action: {
            label: t`Undo`,
            run: () => save.mutate(base, { onSuccess: (before) => settings.start(before.settings) }),
          },
        });
      },
    });
  return (
    <SettingsForm
      {...settings.frame}
      saving={save.isPending}
      failed={save.error ? errorMessage(save.error, t`The server could not be reached.`) : undefined}
      lost={t`Your changes to the settings of the surveys would be lost.`}
      onSubmit={(event) => settings.submit(event, saveDraft)}
    >
      <Card title={t`Texts and callbacks`}>
        <div className={css.settings}>
          <TextInput
            label={t`Surveys are texted at`}
            type="time"
            value={draft.surveyTime}
            hint={t`Two reminders follow, four and eight hours later. No text goes out in quiet hours: a survey waits for their end, or goes out in the morning of its day.`}
            {...(problems.surveyTime && { error: t`Enter a time.` })}
            onChange={(event) => edit({ surveyTime: event.target.value })}
          />
          <Select
            label={t`Alert a nurse at a pain score of`}
            value={draft.painLimit}
            hint={t`And when a score rises by two points, or when the patient asks for a call.`}
            onChange={(event) => edit({ painLimit: event.target.value })}
          >
            {painLimits.map((limit) => (
              <option key={limit}>{limit}</option>
            ))}
          </Select>
          <TextArea
            label={t`Words that alert a nurse`}
            value={draft.watchedWords}
            hint={t`In English and Spanish, with commas between them.`}
            {...(problems.watchedWords && {
              error: t`Enter at most ${mostWatchedWords} words of 2 to 40 letters.`,
            })}
            onChange={(event) => edit({ watchedWords: event.target.value })}
          />
          <PhoneInput
            label={t`Number that patients should call`}
            value={draft.phone}
            autoComplete="off"
            hint={t`Shown when an answer is a warning sign. Leave it empty to use your practice’s number in the NPI registry.`}
            {...(problems.phone && { error: t`Enter all ten digits of a US number.` })}
            onChange={(phone) => edit({ phone })}
          />
        </div>
      </Card>
    </SettingsForm>
  );
}
