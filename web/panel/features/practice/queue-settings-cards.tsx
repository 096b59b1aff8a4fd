import { useLingui } from '@lingui/react/macro';
import { leastCents, mostCents } from '#contract/copay.ts';
import { formatMoney } from '#web/kit/format.tsx';
import { useLanguage } from '#web/kit/i18n.ts';
import { Card } from '#web/panel/ui/card.tsx';
import { Checkbox, TextArea, TextInput } from '#web/panel/ui/field.tsx';
import {
  lateStages,
  longestGreeting,
  longestLateMinutes,
  longestWaitMinutes,
  type Draft,
  type Problems,
} from './queue-settings-draft.ts';
import css from './queue-settings-form.module.css';

/** The error of a field, as the property of its input. */
type ErrorAt = (field: string) => { error: string } | undefined;

interface CardProps {
  draft: Draft;
  onEdit: (change: Partial<Draft>) => void;
  errorAt: ErrorAt;
}

/** The messages for a draft's problems. */
export function useProblemMessages(problems: Problems): ErrorAt {
  const { t } = useLingui();
  const language = useLanguage();
  const [least, most] = [formatMoney(leastCents, language), formatMoney(mostCents, language)];
  const messages = {
    wait: t`Enter minutes from 0 to ${longestWaitMinutes}.`,
    late: t`Enter whole minutes from 1 to ${longestLateMinutes}.`,
    time: t`Enter a time.`,
    order: t`Closing must be later than opening.`,
    break: t`The break must be within the opening hours.`,
    date: t`Enter a date.`,
    twice: t`This day is in the list already.`,
    long: t`Use at most ${longestGreeting} characters.`,
    copay: t`Enter an amount from ${least} to ${most}.`,
  };
  return (field) => {
    const problem = problems[field];
    return problem && { error: messages[problem] };
  };
}

export function AutoInviteCard({ draft, onEdit, errorAt }: CardProps) {
  const { t } = useLingui();
  return (
    <Card title={t`Auto-invite`}>
      <div className={css.stack}>
        <Checkbox
          toggle
          label={t`Invite patients automatically`}
          hint={t`After this time, everyone who is waiting gets a text to come in, even when no panel is open.`}
          checked={draft.autoInvite}
          onChange={(event) => onEdit({ autoInvite: event.target.checked })}
        />
        <div className={css.short}>
          <TextInput
            label={t`Minutes from arrival`}
            inputMode="decimal"
            autoComplete="off"
            value={draft.waitMinutes}
            {...errorAt('waitMinutes')}
            onChange={(event) => onEdit({ waitMinutes: event.target.value })}
          />
        </div>
      </div>
    </Card>
  );
}

export function LateMarksCard({ draft, onEdit, errorAt }: CardProps) {
  const { t } = useLingui();
  const labels = { WAITING: t`Waiting`, INVITED: t`Called`, GOING: t`On the way` };
  return (
    <Card title={t`Late alerts`}>
      <p className={css.note}>
        {t`Flag a patient after this many minutes in a stage: amber at the limit, red at twice the limit.`}
      </p>
      <div className={css.threes}>
        {lateStages.map((stage) => (
          <TextInput
            key={stage}
            label={labels[stage]}
            inputMode="numeric"
            autoComplete="off"
            value={draft.late[stage]}
            {...errorAt(`late.${stage}`)}
            onChange={(event) => onEdit({ late: { ...draft.late, [stage]: event.target.value } })}
          />
        ))}
      </div>
    </Card>
  );
}

/** For practices that take card payments. */
export function CopayCard({ draft, onEdit, errorAt }: CardProps) {
  const { t } = useLingui();
  return (
    <Card title={t`Copay`}>
      <div className={css.short}>
        <TextInput
          label={t`Usual copay, in dollars`}
          hint={t`Suggested when you request a payment. Leave empty for no suggestion.`}
          inputMode="decimal"
          autoComplete="off"
          value={draft.copay}
          {...errorAt('copay')}
          onChange={(event) => onEdit({ copay: event.target.value })}
        />
      </div>
    </Card>
  );
}

export function GreetingCard({ draft, onEdit, errorAt }: CardProps) {
  const { t } = useLingui();
  return (
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
            onChange={(event) => onEdit({ greeting: { ...draft.greeting, [language]: event.target.value } })}
          />
        ))}
      </div>
    </Card>
  );
}
