import { useLingui } from '@lingui/react/macro';
import { useId, useState, type FormEvent } from 'react';
import { longestVisitorName, type ChatFront } from '#contract/website-chat.ts';
import { WarningIcon } from '#web/icons/warning.tsx';
import { useLanguage } from '#web/kit/i18n.ts';
import buttons from '#web/questionnaire/ui/button.module.css';
import { ErrorMessage } from '#web/questionnaire/ui/error-message.tsx';
import field from '#web/questionnaire/ui/field.module.css';
import { Frame } from '#web/widget/ui/frame.tsx';
import css from './consent-page.module.css';
import { ChatHours } from './chat-hours.tsx';

interface ConsentPageProps {
  front: ChatFront;
  /** Why the visitor is here again. */
  notice?: string | undefined;
  /** Starts the chat; resolves with a message if that failed. */
  onStart: (name: string) => Promise<string | null>;
}

/** Before the chat: what it is not for, who answers when, and what the visitor agrees to. Nothing is stored before "Start chat". */
export function ConsentPage({ front, notice, onStart }: ConsentPageProps) {
  const { t } = useLingui();
  const language = useLanguage();
  const id = useId();
  const [name, setName] = useState('');
  const [isStarting, setStarting] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const { officeName, greeting } = front;
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isStarting) return;
    setStarting(true);
    setProblem(null);
    const failed = await onStart(name);
    if (failed === null) return;
    setProblem(failed);
    setStarting(false);
  };
  return (
    <Frame officeName={officeName}>
      <form className={css.page} onSubmit={(event) => void submit(event)}>
        <div className={css.text}>
          <p className={css.emergency}>
            <WarningIcon />
            <strong>{t`Not for emergencies: call 911`}</strong>
          </p>
          {notice && (
            <p role="status" className={css.notice}>
              {notice}
            </p>
          )}
          <p className={css.greeting} dir="auto">
            {greeting[language] || t`Hi! How can we help?`}
          </p>
          <ChatHours front={front} />
          <div className={field.field}>
            <label htmlFor={id}>{t`Your name (optional)`}</label>
            <input
              id={id}
              className={field.input}
              value={name}
              maxLength={longestVisitorName}
              autoComplete="name"
              onChange={(event) => setName(event.target.value)}
            />
          </div>
          <p className={css.consent}>
            {t`When you start the chat, you agree that ${officeName} receives and keeps what you send here.`}
          </p>
        </div>
        <div className={css.foot}>
          {problem !== null && <ErrorMessage>{problem}</ErrorMessage>}
          <button type="submit" className={buttons.main} aria-busy={isStarting || undefined}>
            {isStarting ? t`Starting…` : t`Start chat`}
          </button>
        </div>
      </form>
    </Frame>
  );
}
