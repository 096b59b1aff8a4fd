import { useLingui } from '@lingui/react/macro';
import { useEffect, useId, useRef, useState, type FormEvent } from 'react';
import type { Arrival } from '#contract/patient.ts';
import { CallError } from '#web/kit/call.ts';
import { serverNow } from '#web/kit/clock.ts';
import { useConnection } from '#web/kit/connection.ts';
import { refusalMessage } from '#web/kit/error-messages.ts';
import { useLanguage } from '#web/kit/i18n.ts';
import css from './check-in-form.module.css';
import {
  arrivalOf,
  checkDraft,
  mostMembers,
  type CheckInDraft,
  type FieldErrors,
  type FieldError,
} from './check-in-draft.ts';
import buttons from '#web/questionnaire/ui/button.module.css';
import { dayAt } from './dates.ts';
import { Field } from '#web/phone/ui/field.tsx';
import footer from '#web/questionnaire/ui/footer.module.css';
import { CheckIcon } from '#web/icons/check.tsx';
import { PlusIcon } from '#web/icons/plus.tsx';
import { ErrorMessage } from '#web/questionnaire/ui/error-message.tsx';
import { BirthDateField, NameFields } from './person-fields.tsx';
import { showPhone } from './phone-number.ts';
import { newKey, retryUntilAnswered } from '#web/kit/retry-until-answered.ts';
import { useFieldMessages } from './field-messages.ts';

interface CheckInFormProps {
  draft: CheckInDraft;
  onDraft: (draft: CheckInDraft) => void;
  /** False where the visit knows the phone already. */
  withPhone: boolean;
  /** Sends it; the same key makes one visit however often it is sent. Resolves when the answer is dealt with. */
  send: (arrival: Arrival, key: string, signal: AbortSignal) => Promise<void>;
}

const wrongOfRefusal: Partial<Record<string, { field: string; wrong: FieldError }>> = {
  invalid_phone: { field: 'phone', wrong: 'phone' },
  invalid_birth_date: { field: 'birthDate', wrong: 'date-ahead' },
};

/** Who is here. What was typed stays until it has arrived; without a network "I'm here" goes out as soon as there is one. */
export function CheckInForm({ draft, onDraft, withPhone, send }: CheckInFormProps) {
  const { t } = useLingui();
  const words = useFieldMessages();
  const language = useLanguage();
  const { lost } = useConnection();
  const householdId = useId();
  const form = useRef<HTMLFormElement>(null);
  const sending = useRef<AbortController>(null);
  const sent = useRef({ body: '', key: '' });
  const [errors, setErrors] = useState<FieldErrors>({});
  const [tries, setTries] = useState(0);
  const [isSending, setIsSending] = useState(false);
  const [errorMessage, setErrorMessage] = useState<string | null>(null);
  const today = dayAt(serverNow());

  useEffect(() => form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus(), [tries]);
  useEffect(() => () => sending.current?.abort(), []);

  /** Another word in these fields: what was wrong with them is no longer said, and an older form is no longer sent. */
  const change = (part: Partial<CheckInDraft>, fields = Object.keys(part)) => {
    sending.current?.abort();
    setErrors(Object.fromEntries(Object.entries(errors).filter(([field]) => !fields.includes(field))));
    onDraft({ ...draft, ...part });
  };
  const fieldsOf = (prefix: string) => ({ errors, prefix, today });

  const refuse = (error: unknown) => {
    if (!(error instanceof CallError)) throw error;
    const field = wrongOfRefusal[error.code];
    if (field) {
      setErrors({ [field.field]: field.wrong });
      setTries((before) => before + 1);
    } else setErrorMessage(refusalMessage(error) || t`Something went wrong on our side. Please tell the front desk.`);
  };

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isSending) return;
    const wrong = checkDraft(draft, { today, withPhone });
    setErrors(wrong);
    setErrorMessage(null);
    setTries((before) => before + 1);
    if (Object.keys(wrong).length > 0) return;

    const arrival = arrivalOf(draft, today, language);
    const body = JSON.stringify(arrival);
    if (sent.current.body !== body) sent.current = { body, key: newKey() };
    const { key } = sent.current;
    const stop = new AbortController();
    sending.current = stop;
    setIsSending(true);
    await retryUntilAnswered(() => send(arrival, key, stop.signal), stop.signal).catch((error: unknown) => {
      if (!stop.signal.aborted) refuse(error);
    });
    setIsSending(false);
  };

  const addMember = () => {
    const key = Math.max(0, ...draft.household.map((member) => member.key)) + 1;
    change({ household: [...draft.household, { key, firstName: '', lastName: draft.lastName, birthDate: '' }] });
  };
  const changeMember = (key: number, part: object) => {
    const household = draft.household.map((member) => (member.key === key ? { ...member, ...part } : member));
    const fields = Object.keys(part).map((field) => `${key}.${field}`);
    change({ household }, fields);
  };
  const removeMember = (key: number) => {
    change({ household: draft.household.filter((member) => member.key !== key) });
    document.getElementById(householdId)?.focus();
  };

  return (
    <form ref={form} className={css.form} noValidate onSubmit={(event) => void submit(event)}>
      <NameFields {...fieldsOf('')} person={draft} onChange={(part) => change(part)} />
      {withPhone && (
        <Field
          label={t`Mobile number`}
          hint={t`We text this number about today's visit.`}
          type="tel"
          inputMode="tel"
          dir="ltr"
          autoComplete="tel"
          value={draft.phone}
          error={words(errors.phone)}
          onText={(phone) => change({ phone })}
          onBlur={() => onDraft({ ...draft, phone: showPhone(draft.phone) })}
        />
      )}
      <BirthDateField {...fieldsOf('')} person={draft} onChange={(part) => change(part)} />

      <section className={css.household} aria-labelledby={householdId}>
        <h2 id={householdId} tabIndex={-1}>
          {t`Who else is being seen?`}
        </h2>
        {draft.household.map((member, i) => (
          <fieldset key={member.key} className={css.member}>
            <legend>{t`Family member ${i + 1}`}</legend>
            <NameFields
              {...fieldsOf(`${member.key}.`)}
              person={member}
              onChange={(part) => changeMember(member.key, part)}
            />
            <BirthDateField
              {...fieldsOf(`${member.key}.`)}
              person={member}
              onChange={(part) => changeMember(member.key, part)}
            />
            <button type="button" className={buttons.quiet} onClick={() => removeMember(member.key)}>
              {t`Remove family member ${i + 1}`}
            </button>
          </fieldset>
        ))}
        {draft.household.length < mostMembers && (
          <button type="button" className={buttons.plain} onClick={addMember}>
            <PlusIcon />
            {t`Add a family member`}
          </button>
        )}
      </section>

      <div className={footer.foot}>
        {errorMessage !== null && <ErrorMessage>{errorMessage}</ErrorMessage>}
        {isSending && lost && (
          <p role="status" className={css.waiting}>
            {t`No connection. It will be sent as soon as there is one; you can leave this page open.`}
          </p>
        )}
        <button type="submit" className={buttons.main} aria-busy={isSending || undefined}>
          {!isSending && <CheckIcon size={22} />}
          {isSending ? t`Sending…` : t`I'm here`}
        </button>
      </div>
    </form>
  );
}
