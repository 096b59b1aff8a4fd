import { useLingui } from '@lingui/react/macro';
import { useEffect, useRef, useState } from 'react';
import { longestVisitorName, saveVisitorName } from '#contract/website-chat.ts';
import { call } from '#web/kit/call.ts';
import buttons from '#web/questionnaire/ui/button.module.css';
import css from './chat-page.module.css';
import { OneField } from './one-field.tsx';

/** Describes the message box to screen readers. */
export const emergencyHintId = 'not-for-emergencies';

interface ChatFootProps {
  /** The visitor's name; empty for an anonymous one. */
  name: string;
  /** Null for a visitor who is blocked. */
  onRename: ((name: string) => void) | null;
  onEnd: () => void;
}

/** Below the message box: what the chat is not for, the visitor's name, and the chat's end. */
export function ChatFoot({ name, onRename, onEnd }: ChatFootProps) {
  const { t } = useLingui();
  const [form, setForm] = useState<'name' | 'end'>();
  const opener = useRef<HTMLButtonElement>(null);
  const toggle = (which: 'name' | 'end') => ({
    type: 'button' as const,
    'aria-expanded': form === which,
    onClick: ({ currentTarget }: { currentTarget: HTMLButtonElement }) => {
      opener.current = currentTarget;
      setForm(form === which ? undefined : which);
    },
  });
  const close = () => {
    setForm(undefined);
    opener.current?.focus();
  };
  return (
    <>
      <div className={css.foot}>
        <p id={emergencyHintId}>{t`Not for emergencies: call 911.`}</p>
        <p className={css.footButtons}>
          {onRename && <button {...toggle('name')}>{name === '' ? t`Add your name` : t`Change your name`}</button>}
          <button {...toggle('end')}>{t`End chat`}</button>
        </p>
      </div>
      {form === 'name' && onRename && (
        <OneField
          label={t`Your name`}
          hint={t`The practice sees it next to your messages.`}
          button={t`Save`}
          first={name}
          type="text"
          inputMode="text"
          autoComplete="name"
          maxLength={longestVisitorName}
          onSubmit={async (typed) => {
            onRename((await call(saveVisitorName, { body: { name: typed } })).name);
            close();
          }}
          onCancel={close}
        />
      )}
      {form === 'end' && <AskBeforeEnd onEnd={onEnd} onKeep={close} />}
    </>
  );
}

/** Others may use this device, so the end forgets the chat here, and nothing opens it again. */
function AskBeforeEnd({ onEnd, onKeep }: { onEnd: () => void; onKeep: () => void }) {
  const { t } = useLingui();
  const keep = useRef<HTMLButtonElement>(null);
  useEffect(() => keep.current?.focus(), []);
  return (
    <div className={css.textForm} role="group" aria-label={t`End chat`}>
      <p>{t`End the chat? This device will not show it again.`}</p>
      <div className={css.buttons}>
        <button type="button" className={buttons.danger} onClick={onEnd}>
          {t`End the chat`}
        </button>
        <button ref={keep} type="button" className={buttons.plain} onClick={onKeep}>
          {t`Keep it`}
        </button>
      </div>
    </div>
  );
}
