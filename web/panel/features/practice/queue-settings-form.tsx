import { useLingui } from '@lingui/react/macro';
import { useRef, useState, type FormEvent } from 'react';
import type { QueueSettings } from '#contract/practice/office.ts';
import { errorMessage } from '#web/kit/error-messages.ts';
import { useEditable } from '#web/kit/use-editable.ts';
import { Banner } from '#web/panel/ui/banner.tsx';
import { Button } from '#web/panel/ui/button.tsx';
import { Card } from '#web/panel/ui/card.tsx';
import { Checkbox, TextArea, TextInput } from '#web/panel/ui/field.tsx';
import { toast } from '#web/panel/ui/toasts.ts';
import { OpeningHours } from './opening-hours.tsx';
import css from './queue-settings-form.module.css';
import {
  isChanged,
  lateStages,
  longestGreeting,
  longestLateMinutes,
  longestWaitMinutes,
  problemsOf,
  toDraft,
  toSettings,
  type Draft,
  type Problems,
} from './queue-settings-draft.ts';
import { SaveBar } from '#web/panel/ui/save-bar.tsx';
import { useSaveQueueSettings } from './use-queue-settings.ts';

export function QueueSettingsForm({ saved }: { saved: QueueSettings }) {
  const { t } = useLingui();
  const save = useSaveQueueSettings();
  const form = useRef<HTMLFormElement>(null);
  const { base, draft, setDraft, changed, overtaken, restart } = useEditable(saved, { toDraft, isChanged });
  const [tried, setTried] = useState(false);

  const start = (from: QueueSettings) => {
    restart(from);
    setTried(false);
    save.reset();
  };

  const problems: Problems = tried ? problemsOf(draft) : {};
  const edit = (change: Partial<Draft>) => setDraft({ ...draft, ...change });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (Object.keys(problemsOf(draft)).length > 0) {
      requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus());
      return;
    }
    const wanted = toSettings(draft);
    const otherRule =
      wanted.autoInviteEnabled !== base.autoInviteEnabled || wanted.autoInviteWaitTime !== base.autoInviteWaitTime;
    save.mutate(wanted, {
      onSuccess(now) {
        start(now);
        toast({
          title: t`Settings saved`,
          ...(otherRule && { text: t`Patients who wait already follow the new rule.` }),
        });
      },
    });
  };

  const says = {
    wait: t`Enter minutes from 0 to ${longestWaitMinutes}.`,
    late: t`Enter whole minutes from 1 to ${longestLateMinutes}.`,
    time: t`Enter a time.`,
    order: t`Closing must be later than opening.`,
    long: t`Use at most ${longestGreeting} characters.`,
  };
  const errorAt = (field: string) => {
    const problem = problems[field];
    return problem && { error: says[problem] };
  };
  const lateLabels = { WAITING: t`Waiting`, INVITED: t`Invited`, GOING: t`On the way` };

  return (
    <form ref={form} className={css.form} onSubmit={submit} noValidate>
      {overtaken && (
        <Banner tone="amber" action={<Button size="s" onClick={() => start(saved)}>{t`Show theirs`}</Button>}>
          {t`A colleague changed these settings meanwhile. If you save, yours replace theirs.`}
        </Banner>
      )}
      <Card title={t`Auto-invite`}>
        <div className={css.stack}>
          <Checkbox
            toggle
            label={t`Invite patients automatically`}
            hint={t`After this time, everyone who is waiting gets a text to come in, even when no panel is open.`}
            checked={draft.autoInvite}
            onChange={(event) => edit({ autoInvite: event.target.checked })}
          />
          <div className={css.short}>
            <TextInput
              label={t`Minutes from arrival`}
              inputMode="decimal"
              autoComplete="off"
              value={draft.waitMinutes}
              {...errorAt('waitMinutes')}
              onChange={(event) => edit({ waitMinutes: event.target.value })}
            />
          </div>
        </div>
      </Card>

      <Card title={t`Late marks`}>
        <p
          className={css.says}
        >{t`After this many minutes in a status, a patient counts as late and moves up the list.`}</p>
        <div className={css.threes}>
          {lateStages.map((stage) => (
            <TextInput
              key={stage}
              label={lateLabels[stage]}
              inputMode="numeric"
              autoComplete="off"
              value={draft.late[stage]}
              {...errorAt(`late.${stage}`)}
              onChange={(event) => edit({ late: { ...draft.late, [stage]: event.target.value } })}
            />
          ))}
        </div>
      </Card>

      <Card title={t`Opening hours`}>
        <OpeningHours draft={draft} onEdit={edit} errorAt={errorAt} />
      </Card>

      <Card title={t`Greeting on the check-in page`}>
        <div className={css.twos}>
          {(['en', 'es'] as const).map((language) => (
            <TextArea
              key={language}
              label={language === 'en' ? t`In English` : t`In Spanish`}
              lang={language}
              rows={3}
              value={draft.greeting[language]}
              {...errorAt(`greeting.${language}`)}
              hint={t`${draft.greeting[language].length} of ${longestGreeting} characters`}
              onChange={(event) => edit({ greeting: { ...draft.greeting, [language]: event.target.value } })}
            />
          ))}
        </div>
      </Card>

      <SaveBar
        changed={changed}
        saving={save.isPending}
        failed={save.error ? errorMessage(save.error, t`The server could not be reached.`) : undefined}
        onDiscard={() => start(saved)}
        lost={t`Your changes to the queue settings would be lost.`}
      />
    </form>
  );
}
