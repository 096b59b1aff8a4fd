import { useLingui } from '@lingui/react/macro';
import { useLanguage } from '#web/kit/i18n.ts';
import type { FieldErrors, PersonDraft } from './check-in-draft.ts';
import { editBirthDate, readBirthDate, showBirthDate } from './birth-date.ts';
import { formatLongDate } from './dates.ts';
import { Field } from '#web/phone/ui/field.tsx';
import { useFieldMessages } from './field-messages.ts';

interface PersonFieldsProps {
  person: PersonDraft;
  errors: FieldErrors;
  /** The prefix of the fields' names in `errors`; empty for the owner of the phone. */
  prefix: string;
  today: string;
  onChange: (change: Partial<PersonDraft>) => void;
}

/** First and last name. The phone can fill in its owner's. */
export function NameFields({ person, errors, prefix, onChange }: PersonFieldsProps) {
  const { t } = useLingui();
  const words = useFieldMessages();
  const own = prefix === '';
  const shared = { type: 'text', dir: 'auto', autoCapitalize: 'words', spellCheck: false } as const;
  return (
    <>
      <Field
        {...shared}
        label={t`First name`}
        autoFocus={!own}
        autoComplete={own ? 'given-name' : 'off'}
        value={person.firstName}
        error={words(errors[`${prefix}firstName`])}
        onText={(firstName) => onChange({ firstName })}
      />
      <Field
        {...shared}
        label={t`Last name`}
        autoComplete={own ? 'family-name' : 'off'}
        value={person.lastName}
        error={words(errors[`${prefix}lastName`])}
        onText={(lastName) => onChange({ lastName })}
      />
    </>
  );
}

/** Date of birth: month first in both languages, and repeated with the month's name, so that nobody mixes them up. */
export function BirthDateField({ person, errors, prefix, today, onChange }: PersonFieldsProps) {
  const { t } = useLingui();
  const words = useFieldMessages();
  const language = useLanguage();
  const read = readBirthDate(person.birthDate, today);
  const shown = 'date' in read ? showBirthDate(read.date) : person.birthDate;
  const own = prefix === '';
  return (
    <Field
      type="text"
      inputMode="numeric"
      dir="ltr"
      autoComplete={own ? 'bday' : 'off'}
      label={own ? t`Date of birth` : t`Date of birth (optional)`}
      placeholder={t`MM/DD/YYYY`}
      hint={'date' in read ? formatLongDate(read.date, language) : t`Month / day / year`}
      value={person.birthDate}
      error={words(errors[`${prefix}birthDate`])}
      onText={(text) => onChange({ birthDate: editBirthDate(person.birthDate, text) })}
      onBlur={() => shown !== person.birthDate && onChange({ birthDate: shown })}
    />
  );
}
