import { useLingui } from '@lingui/react/macro';
import { longestGreeting, mostOrigins, type ShownChatSettings } from '#contract/practice/chat-settings.ts';
import { errorMessage } from '#web/kit/error-messages.ts';
import { Card } from '#web/panel/ui/card.tsx';
import { Checkbox } from '#web/panel/ui/field.tsx';
import { SettingsForm } from '#web/panel/ui/settings-form.tsx';
import { toast } from '#web/panel/ui/toasts.ts';
import { useSettingsForm } from '#web/panel/ui/use-settings-form.ts';
import { WeekHours } from '#web/panel/features/practice/index.ts';
import type { CardProps, ErrorAt } from './card-props.ts';
import { isChanged, isSame, problemsOf, toDraft, toSettings, type Draft, type Problem } from './chat-settings-draft.ts';
import css from './chat-settings.module.css';
import { InstallCard } from './install-card.tsx';
import { ColorCard, GreetingCard } from './look-cards.tsx';
import { ReplyTimeCard } from './reply-time-card.tsx';
import { useSaveChatSettings } from './use-chat-settings.ts';
import { WebsitesCard } from './websites-card.tsx';

const isValid = (draft: Draft) => Object.keys(problemsOf(draft)).length === 0;

export function ChatSettingsForm({ saved }: { saved: ShownChatSettings }) {
  const { t } = useLingui();
  const save = useSaveChatSettings();
  const settings = useSettingsForm(saved, { toDraft, isChanged, isSame, isValid, onRestart: save.reset });
  const { base, draft, setDraft, tried } = settings;
  const messages = useProblemMessages();
  const problems = tried ? problemsOf(draft) : {};
  const errorAt: ErrorAt = (field) => {
    const problem = problems[field];
    return problem && { error: messages[problem] };
  };
  const edit: CardProps['onEdit'] = (change) =>
    setDraft((now) => ({ ...now, ...(typeof change === 'function' ? change(now) : change) }));
  const saveDraft = () =>
    save.mutate(toSettings(draft), {
      onSuccess(now) {
        settings.start(now);
        toast({
          title: t`Settings saved`,
          tone: 'green',
          action: {
            label: t`Undo`,
            run: () => save.mutate(toSettings(toDraft(base)), { onSuccess: settings.start }),
          },
        });
      },
    });
  const fields = { draft, onEdit: edit, errorAt };
  return (
    <SettingsForm
      {...settings.frame}
      saving={save.isPending}
      failed={save.error ? errorMessage(save.error, t`The server could not be reached.`) : undefined}
      lost={t`Your changes to the website chat would be lost.`}
      onSubmit={(event) => settings.submit(event, saveDraft)}
    >
      <SwitchCard {...fields} />
      <WebsitesCard {...fields} messages={messages} />
      <InstallCard saved={saved} />
      <ColorCard {...fields} />
      <GreetingCard {...fields} />
      <HoursCard {...fields} />
      <ReplyTimeCard minutes={saved.expectedReplyMinutes} />
    </SettingsForm>
  );
}

function useProblemMessages(): Record<Problem, string> {
  const { t } = useLingui();
  return {
    address: t`Enter the address of a website, such as https://www.example.com.`,
    listed: t`This website is already in the list.`,
    many: t`The list can have ${mostOrigins} websites. Remove one first.`,
    color: t`Enter a color such as #0f5f8c.`,
    long: t`Use at most ${longestGreeting} characters.`,
    time: t`Enter a time.`,
    order: t`Closing must be later than opening.`,
    break: t`The break must be within the opening hours.`,
  };
}

function SwitchCard({ draft, onEdit }: CardProps) {
  const { t } = useLingui();
  return (
    <Card title={t`Chat on your website`}>
      <Checkbox
        toggle
        label={t`Let visitors of your website write to you`}
        hint={t`Their messages are in the Website Chatbox and in Messages. If you turn it off, running chats can be read, and nobody can write.`}
        checked={draft.chatEnabled}
        onChange={(event) => onEdit({ chatEnabled: event.target.checked })}
      />
    </Card>
  );
}

function HoursCard({ draft: { ownHours, days }, onEdit, errorAt }: CardProps) {
  const { t } = useLingui();
  return (
    <Card title={t`Chat hours`}>
      <div className={css.stack}>
        <Checkbox
          toggle
          label={t`The same as your opening hours`}
          hint={t`The opening hours are in the queue settings. Outside the chat hours visitors can still write, and see when you will answer.`}
          checked={!ownHours}
          onChange={(event) => onEdit({ ownHours: !event.target.checked })}
        />
        {ownHours && <WeekHours days={days} onChange={(changed) => onEdit({ days: changed })} errorAt={errorAt} />}
      </div>
    </Card>
  );
}
