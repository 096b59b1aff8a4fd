import { useLingui } from '@lingui/react/macro';
import { useEffect, useRef, useState, type FormEvent } from 'react';
import { documentPath } from '#contract/documents.ts';
import { CallError } from '#web/kit/call.ts';
import { serverNow } from '#web/kit/clock.ts';
import { useConnection } from '#web/kit/connection.ts';
import { refusalMessage } from '#web/kit/error-messages.ts';
import { useLanguage } from '#web/kit/i18n.ts';
import css from './check-in-form.module.css';
import {
  arrivalOf,
  checkDraft,
  startFor,
  type CheckInDraft,
  type FieldErrors,
  type FieldError,
} from './check-in-draft.ts';
import buttons from '#web/questionnaire/ui/button.module.css';
import { dayAt } from './dates.ts';
import { Field } from '#web/phone/ui/field.tsx';
import field from '#web/questionnaire/ui/field.module.css';
import footer from '#web/questionnaire/ui/footer.module.css';
import { CheckIcon } from '#web/icons/check.tsx';
import { ErrorMessage } from '#web/questionnaire/ui/error-message.tsx';
import { HouseholdFields } from './household-fields.tsx';
import { BirthDateField, NameFields } from './person-fields.tsx';
import { formatTypedPhone } from './phone-number.ts';
import { useFieldMessages } from './field-messages.ts';
import { useSendArrival, type SendArrival } from './use-send-arrival.ts';
import { VisitForQuestion } from './visit-for.tsx';

interface CheckInFormProps {
  draft: CheckInDraft;
  onDraft: (draft: CheckInDraft) => void;
  /** False if the visit has the phone number already. */
  withPhone: boolean;
  /** The visit arrived by a text; the form only asks who comes. */
  hasArrived: boolean;
  send: SendArrival;
}

const fieldOfRefusal: Partial<Record<string, { field: string; error: FieldError }>> = {
  invalid_phone: { field: 'phone', error: 'phone' },
  invalid_birth_date: { field: 'birthDate', error: 'date-ahead' },
};

/** Who is here. The entries stay until the check-in arrived; without a network "I'm here" is sent as soon as there is one. */
export function CheckInForm({ draft, onDraft, withPhone, hasArrived, send }: CheckInFormProps) {
  const { t } = useLingui();
  const fieldMessage = useFieldMessages();
  const language = useLanguage();
  const form = useRef<HTMLFormElement>(null);
  const [errors, setErrors] = useState<FieldErrors>({});
  const [tries, setTries] = useState(0);
  const [errorMessage, setErrorMessage] = useState<string | null>(null);
  const today = dayAt(serverNow());

  const showRefusal = (error: unknown) => {
    if (!(error instanceof CallError)) throw error;
    const refused = fieldOfRefusal[error.code];
    if (refused) {
      setErrors({ [refused.field]: refused.error });
      setTries((before) => before + 1);
    } else setErrorMessage(refusalMessage(error) || t`Something went wrong on our side. Please tell the front desk.`);
  };
  const sending = useSendArrival(send, showRefusal);

  useEffect(() => form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus(), [tries]);

  /** Once a field is changed, its error is outdated, and so is the check-in that is being sent. */
  const change = (part: Partial<CheckInDraft>, fields = Object.keys(part)) => {
    sending.stop();
    setErrors(Object.fromEntries(Object.entries(errors).filter(([field]) => !fields.includes(field))));
    onDraft({ ...draft, ...part });
  };

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (sending.isSending) return;
    const found = checkDraft(draft, { today, withPhone });
    setErrors(found);
    setErrorMessage(null);
    setTries((before) => before + 1);
    if (Object.keys(found).length === 0) await sending.start(arrivalOf(draft, today, language));
  };

  const own = {
    person: draft,
    errors,
    prefix: '',
    whose: 'you' as const,
    today,
    onChange: (part: Partial<CheckInDraft>) => change(part),
  };
  const isForMe = draft.visitFor === 'me';
  const household = (
    <HouseholdFields
      draft={draft}
      errors={errors}
      today={today}
      onChange={(members, fields) => change({ household: members }, fields)}
    />
  );
  return (
    <form ref={form} className={css.form} noValidate onSubmit={(event) => void submit(event)}>
      <VisitForQuestion value={draft.visitFor} onChange={(visitFor) => change(startFor(draft, visitFor))} />
      {!isForMe && household}
      {!isForMe && <h2>{withPhone ? t`Your name and mobile number` : t`Your name`}</h2>}
      <NameFields {...own} />
      {withPhone && (
        <Field
          label={t`Mobile number`}
          hint={<Consent />}
          type="tel"
          inputMode="tel"
          dir="ltr"
          autoComplete="tel"
          value={draft.phone}
          error={fieldMessage(errors.phone)}
          onText={(phone) => change({ phone })}
          onBlur={() => onDraft({ ...draft, phone: formatTypedPhone(draft.phone) })}
        />
      )}
      {isForMe && <BirthDateField {...own} />}
      {isForMe && household}
      <Footer isSending={sending.isSending} errorMessage={errorMessage} hasArrived={hasArrived} />
    </form>
  );
}

/** What a patient agrees to who types a number here. */
function Consent() {
  const { t } = useLingui();
  const language = useLanguage();
  return (
    <>
      {t`By tapping I’m here you agree to texts about today’s visit. Msg & data rates may apply. Reply STOP to opt out.`}{' '}
      <a href={documentPath('privacy.pdf', language)} target="_blank" rel="noreferrer">
        {t`Privacy notice`}
      </a>
    </>
  );
}

interface FooterProps {
  isSending: boolean;
  errorMessage: string | null;
  hasArrived: boolean;
}

function Footer({ isSending, errorMessage, hasArrived }: FooterProps) {
  const { t } = useLingui();
  const { lost } = useConnection();
  return (
    <div className={`${footer.foot} ${css.foot}`}>
      {errorMessage !== null && <ErrorMessage>{errorMessage}</ErrorMessage>}
      {isSending && lost && (
        <p role="status" className={field.hint}>
          {t`No connection. We’ll send it when you’re back online. You can leave this page open.`}
        </p>
      )}
      <button type="submit" className={buttons.main} aria-busy={isSending || undefined}>
        {!isSending && <CheckIcon size={22} />}
        {isSending ? t`Sending…` : hasArrived ? t`Continue` : t`I'm here`}
      </button>
    </div>
  );
}
