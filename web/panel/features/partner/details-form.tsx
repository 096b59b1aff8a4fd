import { useLingui } from '@lingui/react/macro';
import { useEffect, useRef, useState, type FormEvent, type ReactNode } from 'react';
import { invalidPartnerDetails, type PartnerDetails } from '#contract/partner.ts';
import { fieldErrorTexts } from '#contract/practice/registration.ts';
import { useLanguage } from '#web/kit/i18n.ts';
import { AddressInputs, EmailInput, SoftwareSelect } from '#web/panel/features/practice/index.ts';
import { Button } from '#web/panel/ui/button.tsx';
import { TextInput } from '#web/panel/ui/field.tsx';
import css from './details-form.module.css';

type Name = Exclude<keyof PartnerDetails, 'isChadisOnboarding'>;
const names: readonly Name[] = ['name', 'addressLine1', 'city', 'state', 'zip', 'email', 'emr'];

interface DetailsFormProps {
  details: PartnerDetails;
  onChange: (details: PartnerDetails) => void;
  /** The server's error message for a field, until the field is edited. */
  refused: Partial<Record<Name, string>>;
  busy: boolean;
  onNext: () => void;
  /** An error that is not about the input. */
  trouble: ReactNode;
  /** The email address is confirmed already, so no code is sent. */
  isSignedIn: boolean;
}

/** The partner's practice info. Next is locked until every field is filled in; errors are shown at their fields. */
export function DetailsForm({ details, onChange, refused, busy, onNext, trouble, isSignedIn }: DetailsFormProps) {
  const { t } = useLingui();
  const language = useLanguage();
  const form = useRef<HTMLFormElement>(null);
  const [left, setLeft] = useState<ReadonlySet<Name>>(new Set());
  const [tried, setTried] = useState(false);

  const isEmpty = (name: Name) => details[name].trim() === '';
  const isFilled = !names.some(isEmpty);
  const wrong = invalidPartnerDetails(details);
  const messageFor = (name: Name) => {
    const isShown = (tried && wrong.includes(name)) || (left.has(name) && isEmpty(name));
    return isShown ? fieldErrorTexts[name][language] : refused[name];
  };

  const goToWrong = () =>
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus());
  const anyRefused = Object.values(refused).some(Boolean);
  useEffect(() => {
    if (anyRefused) goToWrong();
  }, [anyRefused]);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (busy || !isFilled) return;
    setTried(true);
    if (wrong.length > 0) goToWrong();
    else onNext();
  };
  const field = (name: Name) => ({
    name,
    size: 'l' as const,
    value: details[name],
    error: messageFor(name),
    onBlur: () => setLeft(new Set([...left, name])),
    onChange: (event: { target: { value: string } }) => onChange({ ...details, [name]: event.target.value }),
  });

  return (
    <form ref={form} className={css.form} noValidate onSubmit={submit}>
      <TextInput label={t`Practice name`} autoComplete="organization" maxLength={200} autoFocus {...field('name')} />
      <AddressInputs field={field} streetLabel={t`Address`} noState="" />
      <EmailInput
        label={t`Email Address`}
        hint={isSignedIn ? undefined : t`We’ll send a confirmation code to this address.`}
        {...field('email')}
      />
      <SoftwareSelect label={t`Practice management software`} none="" autoComplete="off" {...field('emr')} />
      {trouble}
      <Button type="submit" variant="filled" size="l" block busy={busy} locked={!isFilled}>
        {t`Next`}
      </Button>
    </form>
  );
}
