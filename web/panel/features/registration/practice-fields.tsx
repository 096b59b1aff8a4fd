import { useLingui } from '@lingui/react/macro';
import { useId } from 'react';
import { ages, sizes, systems } from '#contract/practice/choices.ts';
import { timeZones } from '#contract/practice/time-zones.ts';
import { useNow } from '#web/kit/clock.ts';
import { formatTime } from '#web/kit/format.tsx';
import { useLanguage } from '#web/kit/i18n.ts';
import { textFields } from '#web/kit/text-field.ts';
import { Checkbox, FieldNotes, Select, TextInput } from '#web/panel/ui/field.tsx';
import type { FieldsProps } from './place-fields.tsx';
import { zoneOf, type Draft, type TextName } from './practice-draft.ts';
import css from './practice-form.module.css';

/** What the practice is called, how it is reached, and how it works. */
export function PracticeFields(props: FieldsProps) {
  const { draft, change, errorAt } = props;
  const { t } = useLingui();
  const language = useLanguage();
  const field = textFields<TextName>(draft, (part: Draft) => change((now) => ({ ...now, ...part })), errorAt);
  return (
    <>
      <fieldset className={css.group}>
        <legend className={css.legend}>{t`Your practice`}</legend>
        <TextInput
          label={t`Office name`}
          hint={t`Patients read it in every text.`}
          required
          autoComplete="organization"
          maxLength={200}
          {...field('name')}
        />
        <div className={css.twos}>
          <TextInput
            label={t`Email`}
            type="email"
            required
            autoComplete="email"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={254}
            {...field('email')}
          />
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
          hint={t`The name, phone or email of your IT company.`}
          required
          autoComplete="off"
          maxLength={300}
          {...field('itContact')}
        />
      </fieldset>
      <fieldset className={css.group}>
        <legend className={css.legend}>{t`How you work`}</legend>
        <div className={css.twos}>
          <Select label={t`Management software`} required {...field('emr')}>
            <option value="">{t`Select…`}</option>
            {systems.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </Select>
          <Select label={t`Number of patients`} required {...field('patientSize')}>
            <option value="">{t`Select…`}</option>
            {Object.entries(sizes).map(([size, words]) => (
              <option key={size} value={size}>
                {words[language]}
              </option>
            ))}
          </Select>
        </div>
        <Ages {...props} />
        <TimeZone {...props} />
        <TextInput
          label={t`Referral code (optional)`}
          name="refCode"
          autoComplete="off"
          maxLength={80}
          value={draft.refCode ?? ''}
          onChange={({ target }) => change((now) => ({ ...now, refCode: target.value }))}
        />
      </fieldset>
    </>
  );
}

function Ages({ draft, change, errorAt }: FieldsProps) {
  const { t } = useLingui();
  const language = useLanguage();
  const id = useId();
  const { error } = errorAt('agesTreated');
  const toggle = (age: string, on: boolean) =>
    change((now) => {
      const others = (now.agesTreated ?? []).filter((one) => one !== age);
      return { ...now, agesTreated: on ? [...others, age] : others };
    });
  return (
    <fieldset className={css.ages} aria-describedby={error && `${id}-error`} aria-invalid={error ? true : undefined}>
      <legend className={css.label}>{t`Ages treated`}</legend>
      <div className={css.fours}>
        {Object.entries(ages).map(([age, words]) => (
          <Checkbox
            key={age}
            name="agesTreated"
            label={words[language]}
            aria-invalid={error ? true : undefined}
            checked={(draft.agesTreated ?? []).includes(age)}
            onChange={(event) => toggle(age, event.target.checked)}
          />
        ))}
      </div>
      <FieldNotes id={id} error={error} />
    </fieldset>
  );
}

function TimeZone({ draft, change, errorAt }: FieldsProps) {
  const { t } = useLingui();
  const language = useLanguage();
  const now = useNow();
  const zone = zoneOf(draft);
  const time = zone && formatTime(now, language, zone);
  return (
    <Select
      label={t`Time zone`}
      hint={time ? t`It is ${time} there now.` : t`Set from the state; you can change it.`}
      name="timeZone"
      value={zone}
      {...errorAt('timeZone')}
      onChange={(event) => change((now) => ({ ...now, timeZone: event.target.value }))}
    >
      {zone === '' && <option value="">{t`Select…`}</option>}
      {Object.entries(timeZones).map(([name, words]) => (
        <option key={name} value={name}>
          {words[language]}
        </option>
      ))}
    </Select>
  );
}
