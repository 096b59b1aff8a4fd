import { useLingui } from '@lingui/react/macro';
import { useEffect, useId, useRef, useState, type FormEvent } from 'react';
import { makeShare, shareHours } from '#contract/sharing.ts';
import { call, CallError } from '#web/kit/call.ts';
import type { NewLink } from './new-link.tsx';
import { Field } from '#web/phone/ui/field.tsx';
import { LinkIcon } from '#web/icons/link.tsx';
import choiceCss from '#web/questionnaire/ui/choice.module.css';
import field from '#web/questionnaire/ui/field.module.css';
import css from './sharing.module.css';
import buttons from '#web/questionnaire/ui/button.module.css';
import { ErrorMessage } from '#web/questionnaire/ui/error-message.tsx';
import { useErrorMessage } from './error-message.ts';
import { FormChoices } from './form-choices.tsx';
import { dropShareDraft, useShareDraft, type FormToShare, type ShareDraft } from './share-draft.ts';

const longestName = 120;

interface ShareFormProps {
  token: string;
  forms: FormToShare[];
  onMade: (made: NewLink) => void;
}

/** Which forms, for whom, for how long. */
export function ShareForm({ token, forms, onMade }: ShareFormProps) {
  const { t } = useLingui();
  const form = useRef<HTMLFormElement>(null);
  const errorMessage = useErrorMessage();
  const { draft, change } = useShareDraft(token, forms);
  const [tries, setTries] = useState(0);
  const [isWrong, setIsWrong] = useState(false);
  const [isSending, setIsSending] = useState(false);
  const [refused, setRefused] = useState<CallError | null>(null);
  const { chosen, hours } = draft;
  const sharedWith = draft.sharedWith.trim();

  useEffect(() => {
    if (tries > 0) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [tries]);

  const edit = (part: Partial<ShareDraft>) => {
    change(part);
    setRefused(null);
  };

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isSending) return;
    setRefused(null);
    const isIncomplete = chosen.length === 0 || sharedWith === '';
    setIsWrong(isIncomplete);
    if (isIncomplete) return setTries(tries + 1);
    setIsSending(true);
    try {
      const made = await call(makeShare, { params: { token }, body: { sharedWith, submissionIds: chosen, hours } });
      dropShareDraft();
      onMade(made);
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      setRefused(error);
    } finally {
      setIsSending(false);
    }
  };

  if (forms.length === 0) return <p className={css.note}>{t`Forms can be shared once they are submitted.`}</p>;
  return (
    <form ref={form} className={css.form} noValidate onSubmit={(event) => void submit(event)}>
      <p>{t`For a school, specialist or anyone you trust. Anyone with the link can open these forms until it expires or you stop sharing.`}</p>
      <FormChoices
        forms={forms}
        chosen={chosen}
        isWrong={isWrong && chosen.length === 0}
        onChosen={(next) => edit({ chosen: next })}
      />
      <Field
        label={t`Who is it for?`}
        hint={t`For example “Elm School”. Only you and the practice see this.`}
        dir="auto"
        autoComplete="off"
        maxLength={longestName}
        value={draft.sharedWith}
        error={isWrong && sharedWith === '' ? t`Enter who it’s for.` : undefined}
        onText={(name) => edit({ sharedWith: name })}
      />
      <HoursChoice hours={hours} onHours={(next) => edit({ hours: next })} />
      {refused && <ErrorMessage>{errorMessage(refused)}</ErrorMessage>}
      <button type="submit" className={buttons.main} aria-busy={isSending || undefined}>
        <LinkIcon />
        {isSending ? t`One moment…` : t`Create link`}
      </button>
    </form>
  );
}

function HoursChoice({ hours, onHours }: { hours: number; onHours: (hours: number) => void }) {
  const { t } = useLingui();
  const name = useId();
  const lengths: Record<number, string> = { 24: t`24 hours`, 72: t`3 days`, 168: t`7 days`, 720: t`30 days` };
  return (
    <fieldset className={css.question}>
      <legend>{t`Expires after`}</legend>
      <div className={css.lengths}>
        {shareHours.choices.map((choice) => (
          <label key={choice} className={choiceCss.choice}>
            <input type="radio" name={name} checked={hours === choice} onChange={() => onHours(choice)} />
            <span>{lengths[choice]}</span>
          </label>
        ))}
      </div>
      <p className={field.hint}>
        {t`You can stop sharing here until two days after your visit. After that, ask the practice.`}
      </p>
    </fieldset>
  );
}
