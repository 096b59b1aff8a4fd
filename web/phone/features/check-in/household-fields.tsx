import { useLingui } from '@lingui/react/macro';
import { useId, useState } from 'react';
import buttons from '#web/questionnaire/ui/button.module.css';
import { PlusIcon } from '#web/icons/plus.tsx';
import { mostMembers, nextKey, type CheckInDraft, type FieldErrors } from './check-in-draft.ts';
import css from './check-in-form.module.css';
import { BirthDateField, NameFields } from './person-fields.tsx';

interface HouseholdFieldsProps {
  draft: CheckInDraft;
  errors: FieldErrors;
  today: string;
  /** `fields`: the names in `errors` of the fields that changed. */
  onChange: (household: CheckInDraft['household'], fields?: string[]) => void;
}

/** The family members who are seen: besides the phone's owner, or, if the visit is not for the owner, all patients. */
export function HouseholdFields({ draft, errors, today, onChange }: HouseholdFieldsProps) {
  const { t } = useLingui();
  const headingId = useId();
  const [added, setAdded] = useState(0);
  const { household, visitFor } = draft;
  const isForMe = visitFor === 'me';
  const add = () => {
    const key = nextKey(household);
    setAdded(key);
    const { lastName } = household.at(-1) ?? draft;
    onChange([...household, { key, firstName: '', lastName, birthDate: '' }]);
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
        {isForMe ? t`Is anyone else being seen today?` : t`Who is being seen today?`}
      </h2>
      {household.map((member, i) => {
        const isChild = visitFor === 'child' && i === 0;
        const fields = {
          person: member,
          errors,
          prefix: `${member.key}.`,
          whose: isChild ? ('child' as const) : ('member' as const),
          today,
          onChange: (part: object) => change(member.key, part),
        };
        return (
          <fieldset key={member.key} className={css.member}>
            <legend>{isChild ? t`Your child` : t`Family member ${i + 1}`}</legend>
            <NameFields {...fields} isNew={member.key === added} />
            <BirthDateField {...fields} optional={isForMe || i > 0} />
            {(isForMe || household.length > 1) && (
              <button type="button" className={buttons.quiet} onClick={() => remove(member.key)}>
                {t`Remove family member ${i + 1}`}
              </button>
            )}
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
