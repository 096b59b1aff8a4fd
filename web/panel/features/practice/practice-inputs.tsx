import { useLingui } from '@lingui/react/macro';
import { useId, type ReactNode } from 'react';
import { ages, sizes, statesByName } from '#contract/practice/choices.ts';
import { systems } from '#contract/practice/systems.ts';
import { timeZones } from '#contract/practice/time-zones.ts';
import { useNow } from '#web/kit/clock.ts';
import { formatTime } from '#web/kit/format.tsx';
import { useLanguage } from '#web/kit/i18n.ts';
import type { TextField } from '#web/kit/text-field.ts';
import { Checkbox, FieldNotes, Select, TextInput } from '#web/panel/ui/field.tsx';
import css from './practice-inputs.module.css';

interface InputsProps<Name extends string> {
  field: TextField<Name>;
  /** Marks the inputs that must be filled in. */
  required?: boolean;
}

type SelectProps = ReturnType<TextField<string>> & { required?: boolean };

type ContactInputsProps = InputsProps<'name' | 'email' | 'url' | 'itContact'> & {
  /** Below the IT contact. */
  belowItContact?: ReactNode;
};

/** The practice's name, email, website and IT contact. */
export function ContactInputs({ field, required, belowItContact }: ContactInputsProps) {
  const { t } = useLingui();
  return (
    <>
      <TextInput
        label={t`Office name`}
        hint={t`Patients see it in every text.`}
        required={required}
        autoComplete="organization"
        maxLength={200}
        {...field('name')}
      />
      <div className={css.twos}>
        <EmailInput label={t`Email`} required={required} {...field('email')} />
        <TextInput
          label={t`Website (optional)`}
          type="url"
          autoComplete="url"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={300}
          {...field('url')}
        />
      </div>
      <TextInput
        label={t`IT contact`}
        hint={t`Who should we contact about Wi-Fi or firewall questions?`}
        required={required}
        autoComplete="off"
        maxLength={300}
        {...field('itContact')}
      />
      {belowItContact}
    </>
  );
}

/** The practice's email address. */
export function EmailInput(
  props: ReturnType<TextField<string>> & {
    label: string;
    hint?: ReactNode;
    required?: boolean | undefined;
    size?: 'l';
  },
) {
  return (
    <TextInput type="email" autoComplete="email" autoCapitalize="none" spellCheck={false} maxLength={254} {...props} />
  );
}

interface AddressInputsProps extends InputsProps<'addressLine1' | 'city' | 'state' | 'zip'> {
  streetLabel: string;
  /** The option for no state; without it a state is always chosen. */
  noState?: string;
}

/** Street, city, state and ZIP code. */
export function AddressInputs({ field, required, streetLabel, noState }: AddressInputsProps) {
  const { t } = useLingui();
  const language = useLanguage();
  return (
    <>
      <TextInput
        label={streetLabel}
        required={required}
        autoComplete="address-line1"
        maxLength={200}
        {...field('addressLine1')}
      />
      <div className={css.threes}>
        <TextInput
          label={t`City`}
          required={required}
          autoComplete="address-level2"
          maxLength={100}
          {...field('city')}
        />
        <Select label={t`State`} required={required} autoComplete="address-level1" {...field('state')}>
          {noState !== undefined && <option value="">{noState}</option>}
          {statesByName(language).map(({ code, name }) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
        </Select>
        <TextInput
          label={t`ZIP code`}
          required={required}
          autoComplete="postal-code"
          inputMode="numeric"
          maxLength={10}
          {...field('zip')}
        />
      </div>
    </>
  );
}

interface SoftwareAndSizeProps extends InputsProps<'emr' | 'patientSize'> {
  noSoftware?: string | undefined;
  noSize?: string | undefined;
}

/** The practice management software and the number of patients. `noSoftware` and `noSize` are the options for no choice. */
export function SoftwareAndSize({ field, required, noSoftware, noSize }: SoftwareAndSizeProps) {
  const { t } = useLingui();
  const language = useLanguage();
  return (
    <div className={css.twos}>
      <SoftwareSelect label={t`Management software`} none={noSoftware} required={required} {...field('emr')} />
      <Select label={t`Number of patients`} required={required} {...field('patientSize')}>
        {noSize !== undefined && <option value="">{noSize}</option>}
        {Object.entries(sizes).map(([size, names]) => (
          <option key={size} value={size}>
            {names[language]}
          </option>
        ))}
      </Select>
    </div>
  );
}

interface SoftwareSelectProps extends SelectProps {
  label: string;
  /** The option for no choice. */
  none: string | undefined;
  autoComplete?: string;
  size?: 'l';
}

export function SoftwareSelect({ none, ...props }: SoftwareSelectProps) {
  return (
    <Select {...props}>
      {none !== undefined && <option value="">{none}</option>}
      {systems.map((name) => (
        <option key={name}>{name}</option>
      ))}
    </Select>
  );
}

interface AgesProps {
  chosen: readonly string[];
  error: string | undefined;
  onToggle: (age: string, on: boolean) => void;
}

/** The ages that the practice treats. */
export function AgesInput({ chosen, error, onToggle }: AgesProps) {
  const { t } = useLingui();
  const language = useLanguage();
  const id = useId();
  return (
    <fieldset className={css.ages} aria-describedby={error && `${id}-error`} aria-invalid={error ? true : undefined}>
      <legend className={css.label}>{t`Ages treated`}</legend>
      <div className={css.fours}>
        {Object.entries(ages).map(([age, names]) => (
          <Checkbox
            key={age}
            name="agesTreated"
            label={names[language]}
            aria-invalid={error ? true : undefined}
            checked={chosen.includes(age)}
            onChange={(event) => onToggle(age, event.target.checked)}
          />
        ))}
      </div>
      <FieldNotes id={id} error={error} />
    </fieldset>
  );
}

interface TimeZoneSelectProps extends SelectProps {
  /** Shown while no time zone is chosen. */
  hint?: string;
  /** An option before the listed time zones. */
  first?: ReactNode;
}

/** The practice's time zone, with the time there. */
export function TimeZoneSelect({ hint, first, ...props }: TimeZoneSelectProps) {
  const { t } = useLingui();
  const language = useLanguage();
  const now = useNow();
  const time = props.value && formatTime(now, language, props.value);
  return (
    <Select label={t`Time zone`} hint={time ? t`It is ${time} there now.` : hint} {...props}>
      {first}
      {Object.entries(timeZones).map(([name, names]) => (
        <option key={name} value={name}>
          {names[language]}
        </option>
      ))}
    </Select>
  );
}
