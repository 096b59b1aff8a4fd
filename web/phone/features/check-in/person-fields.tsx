import { useLingui } from '@lingui/react/macro';
import { useLanguage } from '#web/kit/i18n.ts';
import type { FieldErrors, PersonDraft } from './check-in-draft.ts';
import { editBirthDate, readBirthDate, showBirthDate } from './birth-date.ts';
import { formatLongDate } from './dates.ts';
import { Field } from '#web/phone/ui/field.tsx';
import { useFieldMessages, type Whose } from './field-messages.ts';

interface PersonFieldsProps {
  person: PersonDraft;
  errors: FieldErrors;
  /** The prefix of the fields' names in `errors`; empty for the owner of the phone. */
  prefix: string;
  whose: Whose;
  today: string;
  onChange: (change: Partial<PersonDraft>) => void;
}

/** First and last name. The phone can fill in its owner's. */
export function NameFields({
  person,
  errors,
  prefix,
  whose,
  isNew = false,
  onChange,
}: Omit<PersonFieldsProps, 'today'> & { isNew?: boolean }) {
  const { t } = useLingui();
  const messageOf = useFieldMessages(whose);
  const own = prefix === '';
  const [firstName, lastName] = {
    you: [t`Your first name`, t`Your last name`],
    child: [t`Child’s first name`, t`Child’s last name`],
    member: [t`First name`, t`Last name`],
  }[whose];
  const shared = { type: 'text', dir: 'auto', autoCapitalize: 'words', spellCheck: false } as const;
  return (
    <>
      <Field
        {...shared}
        label={firstName}
        autoFocus={isNew}
        autoComplete={own ? 'given-name' : 'off'}
        value={person.firstName}
        error={messageOf(errors[`${prefix}firstName`])}
        onText={(firstName) => onChange({ firstName })}
      />
      <Field
        {...shared}
        label={lastName}
        autoComplete={own ? 'family-name' : 'off'}
        value={person.lastName}
        error={messageOf(errors[`${prefix}lastName`])}
        onText={(lastName) => onChange({ lastName })}
      />
    </>
  );
}

/** Date of birth: month first in both languages, and repeated with the month's name, so that nobody mixes them up. */
export function BirthDateField({
  person,
  errors,
  prefix,
  whose,
  today,
  optional = false,
  onChange,
}: PersonFieldsProps & { optional?: boolean }) {
  const { t } = useLingui();
  const messageOf = useFieldMessages(whose);
  const language = useLanguage();
  const read = readBirthDate(person.birthDate, today);
  const shown = 'date' in read ? showBirthDate(read.date) : person.birthDate;
  const labels = {
    you: t`Your date of birth`,
    child: t`Child’s date of birth`,
    member: optional ? t`Date of birth (optional)` : t`Date of birth`,
  };
  return (
    <Field
      type="text"
      inputMode="numeric"
      dir="ltr"
      autoComplete={prefix === '' ? 'bday' : 'off'}
      label={labels[whose]}
      placeholder={t`MM/DD/YYYY`}
      hint={'date' in read ? formatLongDate(read.date, language) : undefined}
      value={person.birthDate}
      error={messageOf(errors[`${prefix}birthDate`])}
      onText={(text) => onChange({ birthDate: editBirthDate(person.birthDate, text) })}
      onBlur={() => shown !== person.birthDate && onChange({ birthDate: shown })}
    />
  );
}
