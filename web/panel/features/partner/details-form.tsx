import { useLingui } from '@lingui/react/macro';
import { useEffect, useRef, useState, type FormEvent, type ReactNode } from 'react';
import { wrongDetails, type PartnerDetails } from '#contract/partner.ts';
import { statesByName, systems } from '#contract/practice/choices.ts';
import { wrongTexts } from '#contract/practice/registration.ts';
import { useLanguage } from '#web/kit/i18n.ts';
import { Button } from '#web/panel/ui/button.tsx';
import { Select, TextInput } from '#web/panel/ui/field.tsx';
import css from './details-form.module.css';

type Name = Exclude<keyof PartnerDetails, 'isChadisOnboarding'>;
const names: readonly Name[] = ['name', 'addressLine1', 'city', 'state', 'zip', 'email', 'emr'];

interface DetailsFormProps {
  details: PartnerDetails;
  onChange: (details: PartnerDetails) => void;
  /** What the server said about a field; it goes when the field is changed. */
  refused: Partial<Record<Name, string>>;
  busy: boolean;
  onNext: () => void;
  /** Trouble that has nothing to do with what was typed. */
  trouble: ReactNode;
  /** The address is known already: it is not asked to be confirmed. */
  isSignedIn: boolean;
}

/** The partner's practice info. Next waits until all is filled; what is wrong is said at its field and nothing typed is lost. */
export function DetailsForm({ details, onChange, refused, busy, onNext, trouble, isSignedIn }: DetailsFormProps) {
  const { t } = useLingui();
  const language = useLanguage();
  const form = useRef<HTMLFormElement>(null);
  const [left, setLeft] = useState<ReadonlySet<Name>>(new Set());
  const [tried, setTried] = useState(false);

  const isEmpty = (name: Name) => details[name].trim() === '';
  const isFilled = !names.some(isEmpty);
  const wrong = wrongDetails(details);
  const wordsFor = (name: Name) => {
    const isShown = (tried && wrong.includes(name)) || (left.has(name) && isEmpty(name));
    return isShown ? wrongTexts[name][language] : refused[name];
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
    error: wordsFor(name),
    onBlur: () => setLeft(new Set([...left, name])),
    onChange: (event: { target: { value: string } }) => onChange({ ...details, [name]: event.target.value }),
  });

  return (
    <form ref={form} className={css.form} noValidate onSubmit={submit}>
      <TextInput label={t`Practice name`} autoComplete="organization" maxLength={200} autoFocus {...field('name')} />
      <TextInput label={t`Address`} autoComplete="address-line1" maxLength={200} {...field('addressLine1')} />
      <div className={css.place}>
        <TextInput label={t`City`} autoComplete="address-level2" maxLength={100} {...field('city')} />
        <Select label={t`State`} autoComplete="address-level1" {...field('state')}>
          <option value="" />
          {statesByName(language).map(({ code, name }) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
        </Select>
        <TextInput
          label={t`ZIP code`}
          autoComplete="postal-code"
          inputMode="numeric"
          maxLength={10}
          {...field('zip')}
        />
      </div>
      <TextInput
        label={t`Email Address`}
        hint={isSignedIn ? undefined : t`We send a confirmation code to this address.`}
        type="email"
        autoComplete="email"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={254}
        {...field('email')}
      />
      <Select label={t`Practice management software`} autoComplete="off" {...field('emr')}>
        <option value="" />
        {systems.map((system) => (
          <option key={system} value={system}>
            {system}
          </option>
        ))}
      </Select>
      {trouble}
      <Button type="submit" variant="filled" size="l" block busy={busy} locked={!isFilled}>
        {t`Next`}
      </Button>
    </form>
  );
}
