import { useLingui } from '@lingui/react/macro';
import { useEffect, useId, useRef, useState, type FormEvent } from 'react';
import { CallError } from '#web/kit/call.ts';
import { errorMessage } from '#web/kit/error-messages.ts';
import buttons from '#web/questionnaire/ui/button.module.css';
import field from '#web/questionnaire/ui/field.module.css';
import css from './chat-page.module.css';

interface OneFieldProps {
  label: string;
  hint: string;
  button: string;
  first: string;
  type: 'tel' | 'text';
  inputMode: 'tel' | 'numeric' | 'text';
  autoComplete: string;
  maxLength?: number;
  onSubmit: (typed: string) => Promise<void>;
  onCancel: () => void;
}

/** A form of one field, which has the focus. */
export function OneField({ label, hint, button, first, onSubmit, onCancel, ...input }: OneFieldProps) {
  const { t } = useLingui();
  const id = useId();
  const box = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState(first);
  const [isSending, setSending] = useState(false);
  const [problem, setProblem] = useState<string>();
  useEffect(() => box.current?.focus(), []);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isSending) return;
    setSending(true);
    setProblem(undefined);
    try {
      await onSubmit(typed.trim());
    } catch (error) {
      const isBadInput = error instanceof CallError && error.code === 'invalid_input';
      setProblem(
        isBadInput ? t`Please check what you typed.` : errorMessage(error, t`No connection. Please try again.`),
      );
      box.current?.focus();
    }
    setSending(false);
  };
  return (
    <form className={css.textForm} noValidate onSubmit={(event) => void submit(event)}>
      <div className={field.field}>
        <label htmlFor={id}>{label}</label>
        <input
          ref={box}
          id={id}
          className={field.input}
          dir={input.inputMode === 'text' ? 'auto' : 'ltr'}
          {...input}
          value={typed}
          aria-invalid={problem === undefined ? undefined : true}
          aria-describedby={`${id}-hint`}
          onChange={(event) => setTyped(event.target.value)}
        />
        <div role="alert">{problem !== undefined && <p className={css.problem}>{problem}</p>}</div>
        <p id={`${id}-hint`} className={field.hint}>
          {hint}
        </p>
      </div>
      <div className={css.buttons}>
        <button type="submit" className={buttons.plain} aria-busy={isSending || undefined}>
          {button}
        </button>
        <button type="button" className={buttons.quiet} onClick={onCancel}>
          {t`Back`}
        </button>
      </div>
    </form>
  );
}
