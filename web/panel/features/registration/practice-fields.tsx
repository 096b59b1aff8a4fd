import { useLingui } from '@lingui/react/macro';
import { formatPhone } from '#contract/phone-format.ts';
import { useSession } from '#web/kit/session.ts';
import { textFields } from '#web/kit/text-field.ts';
import { AgesInput, ContactInputs, SoftwareAndSize, TimeZoneSelect } from '#web/panel/features/practice/index.ts';
import { Button } from '#web/panel/ui/button.tsx';
import { TextInput } from '#web/panel/ui/field.tsx';
import type { AddressFieldsProps } from './address-fields.tsx';
import { zoneOf, type Draft, type TextName } from './practice-draft.ts';
import css from './practice-form.module.css';

/** The practice's name, how to reach it, and how it works. */
export function PracticeFields({ draft, change, errorAt }: AddressFieldsProps) {
  const { t } = useLingui();
  const set = (part: Draft) => change((now) => ({ ...now, ...part }));
  const field = textFields<TextName>(draft, set, errorAt);
  const { person } = useSession();
  const ownContact = person?.email ?? (person?.phone && formatPhone(person.phone));
  const zone = zoneOf(draft);
  const toggleAge = (age: string, on: boolean) =>
    change((now) => {
      const others = (now.agesTreated ?? []).filter((other) => other !== age);
      return { ...now, agesTreated: on ? [...others, age] : others };
    });
  return (
    <>
      <fieldset className={css.group}>
        <legend className={css.legend}>{t`Your practice`}</legend>
        <ContactInputs
          field={field}
          required
          belowItContact={
            ownContact && (
              <div className={css.ownContact}>
                <Button size="s" onClick={() => set({ itContact: ownContact })}>
                  {t`I handle IT myself`}
                </Button>
              </div>
            )
          }
        />
      </fieldset>
      <fieldset className={css.group}>
        <legend className={css.legend}>{t`About your practice`}</legend>
        <SoftwareAndSize field={field} required noSoftware={t`Select…`} noSize={t`Select…`} />
        <AgesInput chosen={draft.agesTreated ?? []} error={errorAt('agesTreated').error} onToggle={toggleAge} />
        <TimeZoneSelect
          hint={t`Set from your state. Change it if needed.`}
          first={zone === '' && <option value="">{t`Select…`}</option>}
          {...field('timeZone')}
          value={zone}
        />
        <TextInput
          label={t`Referral code (optional)`}
          name="refCode"
          autoComplete="off"
          maxLength={80}
          value={draft.refCode ?? ''}
          onChange={({ target }) => set({ refCode: target.value })}
        />
      </fieldset>
    </>
  );
}
