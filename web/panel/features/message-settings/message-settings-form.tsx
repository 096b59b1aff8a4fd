import { useLingui } from '@lingui/react/macro';
import { leadMinutesRange, longestSnippetName, replyMinutesRange } from '#contract/practice/message-settings.ts';
import type { MessageSettingsWithText } from '#contract/practice/message-settings.ts';
import { errorMessage } from '#web/kit/error-messages.ts';
import { usePublicConfig } from '#web/kit/public-config.ts';
import { Card } from '#web/panel/ui/card.tsx';
import { Checkbox, TextArea, TextInput } from '#web/panel/ui/field.tsx';
import { SettingsForm } from '#web/panel/ui/settings-form.tsx';
import { toast } from '#web/panel/ui/toasts.ts';
import { useSettingsForm } from '#web/panel/ui/use-settings-form.ts';
import { isChanged, problemsOf, toDraft, toSettings, type Draft, type Problems } from './message-settings-draft.ts';
import type { CardProps, ErrorAt } from './card-props.ts';
import css from './message-settings.module.css';
import { SnippetsCard } from './snippets-card.tsx';
import { variableNames } from './variable-names.ts';
import { useSaveMessageSettings } from './use-message-settings.ts';

const isValid = (draft: Draft) => Object.keys(problemsOf(draft)).length === 0;

export function MessageSettingsForm({ saved }: { saved: MessageSettingsWithText }) {
  const { t } = useLingui();
  const save = useSaveMessageSettings();
  const settings = useSettingsForm(saved, { toDraft, isChanged, isValid, onRestart: save.reset });
  const { base, draft, setDraft, tried } = settings;
  const errorAt = useProblemMessages(tried ? problemsOf(draft) : {});
  const edit: CardProps['onEdit'] = (change) =>
    setDraft((now) => ({ ...now, ...(typeof change === 'function' ? change(now) : change) }));
  const saveDraft = () =>
    save.mutate(toSettings(draft), {
      onSuccess(now) {
        settings.start(now);
        toast({
          title: t`Settings saved`,
          tone: 'green',
          action: { label: t`Undo`, run: () => save.mutate(base, { onSuccess: settings.start }) },
        });
      },
    });
  const fields = { draft, onEdit: edit, errorAt };
  return (
    <SettingsForm
      {...settings.frame}
      saving={save.isPending}
      failed={save.error ? errorMessage(save.error, t`The server could not be reached.`) : undefined}
      lost={t`Your changes to the message settings would be lost.`}
      onSubmit={(event) => settings.submit(event, saveDraft)}
    >
      <QuietHoursCard {...fields} />
      <TextsCard {...fields} />
      <ClosedCard {...fields} />
      <SnippetsCard {...fields} />
    </SettingsForm>
  );
}

function useProblemMessages(problems: Problems): ErrorAt {
  const { t } = useLingui();
  const messages = {
    time: t`Enter a time.`,
    same: t`Quiet hours must start and end at different times.`,
    lead: t`Enter whole minutes from ${leadMinutesRange.least} to ${leadMinutesRange.most}.`,
    reply: t`Enter whole minutes from ${replyMinutesRange.least} to ${replyMinutesRange.most}.`,
    long: t`This text is too long.`,
    name: t`Enter a name of at most ${longestSnippetName} characters.`,
    words: t`Enter the text in at least one language.`,
  };
  return (field) => {
    const problem = problems[field];
    return problem && { error: messages[problem] };
  };
}

function QuietHoursCard({ draft, onEdit, errorAt }: CardProps) {
  const { t } = useLingui();
  const isDemo = usePublicConfig()?.demo ?? false;
  return (
    <Card title={t`Quiet hours`}>
      <p className={css.note}>
        {t`Texts to lists wait until the quiet hours are over, by your clock and by the clock of each person’s area code. Answers to single patients wait too, unless the patient checked in today or you choose to send them at once. Invitations go out at any time.`}
      </p>
      {isDemo && <p className={css.note}>{t`In the demo, quiet hours only warn: no text waits for them.`}</p>}
      <div className={css.short}>
        <TextInput
          label={t`From`}
          type="time"
          value={draft.from}
          {...errorAt('from')}
          onChange={(event) => onEdit({ from: event.target.value })}
        />
        <TextInput
          label={t`Until`}
          type="time"
          value={draft.until}
          {...errorAt('until')}
          onChange={(event) => onEdit({ until: event.target.value })}
        />
      </div>
    </Card>
  );
}

function TextsCard({ draft, onEdit, errorAt }: CardProps) {
  const { t } = useLingui();
  const { reply } = variableNames;
  return (
    <Card title={t`Texts`}>
      <div className={css.stack}>
        <TextArea
          label={t`Default text of Send SMS`}
          hint={t`Leave it empty to use the standard text.`}
          rows={3}
          value={draft.defaultText}
          {...errorAt('defaultText')}
          onChange={(event) => onEdit({ defaultText: event.target.value })}
        />
        <div className={css.short}>
          <TextInput
            label={t`Minutes before an appointment`}
            hint={t`When texts before appointments go out.`}
            inputMode="numeric"
            autoComplete="off"
            value={draft.leadMinutes}
            {...errorAt('leadMinutes')}
            onChange={(event) => onEdit({ leadMinutes: event.target.value })}
          />
          <TextInput
            label={t`Expected reply time, in minutes`}
            hint={t`Used for ${reply} in snippets, and shown to visitors before a website chat. Leave it empty if you would rather not give a time.`}
            inputMode="numeric"
            autoComplete="off"
            value={draft.replyMinutes}
            {...errorAt('replyMinutes')}
            onChange={(event) => onEdit({ replyMinutes: event.target.value })}
          />
        </div>
      </div>
    </Card>
  );
}

function ClosedCard({ draft, onEdit }: CardProps) {
  const { t } = useLingui();
  return (
    <Card title={t`When you are closed`}>
      <Checkbox
        toggle
        label={t`Answer patients automatically`}
        hint={t`Anyone who writes outside your opening hours gets one automatic answer: that you are closed, when you open again, and to call 911 in an emergency. The opening hours are in the queue settings.`}
        checked={draft.answersWhenClosed}
        onChange={(event) => onEdit({ answersWhenClosed: event.target.checked })}
      />
    </Card>
  );
}
