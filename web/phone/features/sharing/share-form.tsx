import { useLingui } from '@lingui/react/macro';
import { useEffect, useId, useRef, useState, type FormEvent } from 'react';
import { makeShare, shareHours } from '#contract/sharing.ts';
import { call, CallError } from '#web/kit/call.ts';
import type { NewLink } from './new-link.tsx';
import { Field } from '#web/phone/ui/field.tsx';
import { LinkIcon } from '#web/icons/link.tsx';
import { AlertCircleIcon as WarningIcon } from '#web/icons/alert-circle.tsx';
import css from './sharing.module.css';
import buttons from '#web/questionnaire/ui/button.module.css';
import { ErrorMessage } from '#web/questionnaire/ui/error-message.tsx';
import { useErrorMessage } from './error-message.ts';

export interface FormToShare {
  submissionId: string;
  formName: string;
  /** Whose it is. */
  name: string;
}

interface Draft {
  chosen: string[];
  sharedWith: string;
  hours: number;
}

/** What was typed, as long as this page is open: it outlives a look at the visit and a link that could not be made. */
let savedDraft: { token: string; draft: Draft } | null = null;
function saveDraft(token: string, draft: Draft | null): void {
  savedDraft = draft && { token, draft };
}
const longestName = 120;

interface ShareFormProps {
  token: string;
  forms: FormToShare[];
  onMade: (made: NewLink) => void;
}

/** Which forms, for whom, for how long. */
export function ShareForm({ token, forms, onMade }: ShareFormProps) {
  const { t } = useLingui();
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  const errorMessage = useErrorMessage();
  const [draft, setDraft] = useState<Draft>(() => (savedDraft?.token === token ? savedDraft.draft : emptyFor(forms)));
  const [tries, setTries] = useState(0);
  const [isWrong, setIsWrong] = useState(false);
  const [isSending, setIsSending] = useState(false);
  const [refused, setRefused] = useState<CallError | null>(null);
  const { sharedWith, hours } = draft;
  const chosen = draft.chosen.filter((one) => forms.some(({ submissionId }) => submissionId === one));
  const people = [...new Set(forms.map(({ name }) => name))];
  const noForm = isWrong && chosen.length === 0;
  const noName = isWrong && sharedWith.trim() === '';

  useEffect(() => {
    if (tries > 0) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [tries]);

  const change = (part: Partial<Draft>) => {
    const now = { ...draft, ...part };
    saveDraft(token, now);
    setDraft(now);
    setRefused(null);
  };
  const choose = (submissionId: string, isOn: boolean) =>
    change({ chosen: isOn ? [...chosen, submissionId] : chosen.filter((one) => one !== submissionId) });

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isSending) return;
    setRefused(null);
    if (chosen.length === 0 || sharedWith.trim() === '') {
      setIsWrong(true);
      setTries(tries + 1);
      return;
    }
    setIsWrong(false);
    setIsSending(true);
    try {
      const made = await call(makeShare, {
        params: { token },
        body: { sharedWith: sharedWith.trim(), submissionIds: chosen, hours },
      });
      saveDraft(token, null);
      onMade(made);
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      setRefused(error);
    } finally {
      setIsSending(false);
    }
  };

  if (forms.length === 0) return <p className={css.note}>{t`Forms can be shared once they are submitted.`}</p>;
  const lengths: Record<number, string> = { 24: t`24 hours`, 72: t`3 days`, 168: t`7 days`, 720: t`30 days` };
  return (
    <form ref={form} className={css.form} noValidate onSubmit={(event) => void submit(event)}>
      <p>{t`For a school, a specialist or anyone else you trust. Whoever has the link can open the forms you choose, until it ends or you take it back.`}</p>
      <fieldset className={css.question}>
        <legend>{t`Which forms?`}</legend>
        {people.map((name) => (
          <div key={name} role="group" aria-label={name} className={css.choices}>
            {people.length > 1 && <bdi className={css.whose}>{name}</bdi>}
            {forms
              .filter((one) => one.name === name)
              .map(({ submissionId, formName }) => (
                <label key={submissionId} className={css.choice}>
                  <input
                    type="checkbox"
                    aria-invalid={noForm || undefined}
                    aria-describedby={noForm ? `${id}-forms` : undefined}
                    checked={chosen.includes(submissionId)}
                    onChange={(event) => choose(submissionId, event.target.checked)}
                  />
                  <span>{formName}</span>
                </label>
              ))}
          </div>
        ))}
        {noForm && <FieldErrorMessage id={`${id}-forms`}>{t`Choose at least one form.`}</FieldErrorMessage>}
        {forms.length > 2 && chosen.length < forms.length && (
          <button
            type="button"
            className={`${buttons.link} ${css.start}`}
            onClick={() => change({ chosen: forms.map(({ submissionId }) => submissionId) })}
          >
            {t`Choose all`}
          </button>
        )}
      </fieldset>
      <Field
        label={t`For whom?`}
        hint={t`Such as “Elm School”. It is for your list; they do not see it.`}
        dir="auto"
        autoComplete="off"
        maxLength={longestName}
        value={sharedWith}
        error={noName ? t`Write who gets the link.` : undefined}
        onText={(name) => change({ sharedWith: name })}
      />
      <fieldset className={css.question}>
        <legend>{t`How long should it work?`}</legend>
        <div className={css.lengths}>
          {shareHours.choices.map((choice) => (
            <label key={choice} className={css.choice}>
              <input
                type="radio"
                name={`${id}-hours`}
                checked={hours === choice}
                onChange={() => change({ hours: choice })}
              />
              <span>{lengths[choice]}</span>
            </label>
          ))}
        </div>
        <p className={css.hint}>
          {t`This page works until two days after your visit. After that, the practice can end the link for you.`}
        </p>
      </fieldset>
      {refused && <ErrorMessage>{errorMessage(refused)}</ErrorMessage>}
      <button type="submit" className={buttons.main} aria-busy={isSending || undefined}>
        <LinkIcon />
        {isSending ? t`One moment…` : t`Make the link`}
      </button>
    </form>
  );
}

/** A single form is what is meant; of several the patient says which. */
function emptyFor(forms: FormToShare[]): Draft {
  const chosen = forms.length === 1 ? forms.map(({ submissionId }) => submissionId) : [];
  return { chosen, sharedWith: '', hours: shareHours.default };
}

function FieldErrorMessage({ id, children }: { id: string; children: string }) {
  return (
    <p id={id} className={css.wrong}>
      <WarningIcon size={18} />
      <span>{children}</span>
    </p>
  );
}
