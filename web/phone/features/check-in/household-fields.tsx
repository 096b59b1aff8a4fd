import { useLingui } from '@lingui/react/macro';
import { useId } from 'react';
import buttons from '#web/questionnaire/ui/button.module.css';
import { PlusIcon } from '#web/icons/plus.tsx';
import { mostMembers, type CheckInDraft, type FieldErrors } from './check-in-draft.ts';
import css from './check-in-form.module.css';
import { BirthDateField, NameFields } from './person-fields.tsx';

interface HouseholdFieldsProps {
  draft: CheckInDraft;
  errors: FieldErrors;
  today: string;
  /** `fields`: the names in `errors` of the fields that changed. */
  onChange: (household: CheckInDraft['household'], fields?: string[]) => void;
}

/** The family members who are seen too. */
export function HouseholdFields({ draft, errors, today, onChange }: HouseholdFieldsProps) {
  const { t } = useLingui();
  const headingId = useId();
  const { household } = draft;
  const add = () => {
    const key = Math.max(0, ...household.map((member) => member.key)) + 1;
    onChange([...household, { key, firstName: '', lastName: draft.lastName, birthDate: '' }]);
  };
  const change = (key: number, part: object) =>
    onChange(
      household.map((member) => (member.key === key ? { ...member, ...part } : member)),
      Object.keys(part).map((field) => `${key}.${field}`),
    );
  const remove = (key: number) => {
    onChange(household.filter((member) => member.key !== key));
    document.getElementById(headingId)?.focus();
  };
  return (
    <section className={css.household} aria-labelledby={headingId}>
      <h2 id={headingId} tabIndex={-1}>
        {t`Is anyone else being seen today?`}
      </h2>
      {household.map((member, i) => {
        const fields = {
          person: member,
          errors,
          prefix: `${member.key}.`,
          today,
          onChange: (part: object) => change(member.key, part),
        };
        return (
          <fieldset key={member.key} className={css.member}>
            <legend>{t`Family member ${i + 1}`}</legend>
            <NameFields {...fields} />
            <BirthDateField {...fields} />
            <button type="button" className={buttons.quiet} onClick={() => remove(member.key)}>
              {t`Remove family member ${i + 1}`}
            </button>
          </fieldset>
        );
      })}
      {household.length < mostMembers && (
        <button type="button" className={buttons.plain} onClick={add}>
          <PlusIcon />
          {t`Add a family member`}
        </button>
      )}
    </section>
  );
}
