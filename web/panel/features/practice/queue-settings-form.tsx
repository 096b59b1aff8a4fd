import { useLingui } from '@lingui/react/macro';
import type { AutoInviteFrom, QueueSettings } from '#contract/practice/office.ts';
import { errorMessage } from '#web/kit/error-messages.ts';
import { useSession } from '#web/kit/session.ts';
import { Card } from '#web/panel/ui/card.tsx';
import { SettingsForm } from '#web/panel/ui/settings-form.tsx';
import { toast } from '#web/panel/ui/toasts.ts';
import { useSettingsForm } from '#web/panel/ui/use-settings-form.ts';
import { OpeningHours } from './opening-hours.tsx';
import { AutoInviteCard, CopayCard, GreetingCard, LateMarksCard, useProblemMessages } from './queue-settings-cards.tsx';
import { isChanged, problemsOf, toDraft, toSettings, type Draft } from './queue-settings-draft.ts';
import { TextOverduePatients } from './text-overdue-patients.tsx';
import { overduePatients, useSaveQueueSettings } from './use-queue-settings.ts';

const isValid = (draft: Draft) => Object.keys(problemsOf(draft)).length === 0;

export function QueueSettingsForm({ saved }: { saved: QueueSettings }) {
  const { t } = useLingui();
  const takesPayments = useSession().office?.paymentIdentity === true;
  const save = useSaveQueueSettings();
  const settings = useSettingsForm(saved, { toDraft, isChanged, isValid, onRestart: save.reset });
  const { base, draft, setDraft, tried } = settings;
  const errorAt = useProblemMessages(tried ? problemsOf(draft) : {});
  const edit = (change: Partial<Draft>) => setDraft({ ...draft, ...change });
  const saveDraft = (autoInviteFrom?: AutoInviteFrom) => {
    const wanted = toSettings(draft);
    const isNewRule =
      wanted.autoInviteEnabled !== base.autoInviteEnabled || wanted.autoInviteWaitTime !== base.autoInviteWaitTime;
    save.mutate(
      { ...wanted, ...(autoInviteFrom && { autoInviteFrom }) },
      {
        onSuccess(now) {
          settings.start(now);
          toast({
            title: t`Settings saved`,
            ...(isNewRule && {
              text:
                autoInviteFrom === 'new-arrivals'
                  ? t`The new rule starts with the next arrival.`
                  : t`Patients already waiting follow the new rule too.`,
            }),
          });
        },
      },
    );
  };
  /** How many patients the save would have texted at once: the server asks first. */
  const overdue = overduePatients(save.error);
  const fields = { draft, onEdit: edit, errorAt };
  return (
    <>
      <SettingsForm
        {...settings.frame}
        saving={save.isPending}
        failed={
          save.error && overdue === null ? errorMessage(save.error, t`The server could not be reached.`) : undefined
        }
        lost={t`Your changes to the queue settings would be lost.`}
        onSubmit={(event) => settings.submit(event, () => saveDraft())}
      >
        <AutoInviteCard {...fields} />
        <LateMarksCard {...fields} />
        <Card title={t`Opening hours`}>
          <OpeningHours {...fields} />
        </Card>
        {takesPayments && <CopayCard {...fields} />}
        <GreetingCard {...fields} />
      </SettingsForm>
      {overdue !== null && save.variables && (
        <TextOverduePatients
          patients={overdue}
          minutes={save.variables.autoInviteWaitTime / 60}
          onAnswer={saveDraft}
          onClose={save.reset}
        />
      )}
    </>
  );
}
