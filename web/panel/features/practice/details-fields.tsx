import { useLingui } from '@lingui/react/macro';
import { useId } from 'react';
import type { OfficeDetails } from '#contract/practice/details.ts';
import { ages, sizes, statesByName, systems } from '#contract/practice/choices.ts';
import type { Field } from '#contract/practice/registration.ts';
import { timeZones } from '#contract/practice/time-zones.ts';
import { useNow } from '#web/kit/clock.ts';
import { formatTime } from '#web/kit/format.tsx';
import { useLanguage } from '#web/kit/i18n.ts';
import type { TextField } from '#web/kit/text-field.ts';
import { Banner } from '#web/panel/ui/banner.tsx';
import { Card } from '#web/panel/ui/card.tsx';
import { Checkbox, FieldNotes, Select, TextInput } from '#web/panel/ui/field.tsx';
import { Chip } from '#web/panel/ui/status-badge.tsx';
import css from './details.module.css';

export type TextName = Exclude<keyof OfficeDetails, 'agesTreated'>;

interface FieldsProps {
  draft: OfficeDetails;
  saved: OfficeDetails & { npi: string; npiProvisional: boolean };
  edit: (change: Partial<OfficeDetails>) => void;
  errorAt: (field: Field) => { error?: string };
  field: TextField<TextName>;
}

/** What the practice is called and how it is reached. */
export function YourPractice({ saved, field }: FieldsProps) {
  const { t } = useLingui();
  return (
    <Card title={t`Your practice`}>
      <div className={css.group}>
        <p className={css.npi}>
          NPI <bdi dir="ltr">{saved.npi}</bdi>
          {saved.npiProvisional && <Chip>{t`Provisional`}</Chip>}
        </p>
        <TextInput
          label={t`Office name`}
          hint={t`Patients read it in every text.`}
          autoComplete="organization"
          maxLength={200}
          {...field('name')}
        />
        <div className={css.twos}>
          <TextInput
            label={t`Email`}
            type="email"
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
          autoComplete="off"
          maxLength={300}
          {...field('itContact')}
        />
      </div>
    </Card>
  );
}

export function PracticeAddress({ field }: FieldsProps) {
  const { t } = useLingui();
  const language = useLanguage();
  return (
    <Card title={t`Address`}>
      <div className={css.group}>
        <TextInput
          label={t`Street and number`}
          autoComplete="address-line1"
          maxLength={200}
          {...field('addressLine1')}
        />
        <div className={css.threes}>
          <TextInput label={t`City`} autoComplete="address-level2" maxLength={100} {...field('city')} />
          <Select label={t`State`} autoComplete="address-level1" {...field('state')}>
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
      </div>
    </Card>
  );
}

export function HowYouWork(props: FieldsProps) {
  const { saved, field } = props;
  const { t } = useLingui();
  const language = useLanguage();
  return (
    <Card title={t`How you work`}>
      <div className={css.group}>
        <div className={css.twos}>
          <Select label={t`Management software`} {...field('emr')}>
            {systems.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </Select>
          <Select label={t`Number of patients`} {...field('patientSize')}>
            {saved.patientSize === '' && <option value="">{t`Select…`}</option>}
            {Object.entries(sizes).map(([size, words]) => (
              <option key={size} value={size}>
                {words[language]}
              </option>
            ))}
          </Select>
        </div>
        <Ages {...props} />
        <TimeZone {...props} />
      </div>
    </Card>
  );
}

function Ages({ draft, edit, errorAt }: FieldsProps) {
  const { t } = useLingui();
  const language = useLanguage();
  const id = useId();
  const { error } = errorAt('agesTreated');
  const toggle = (age: string, on: boolean) => {
    const others = draft.agesTreated.filter((one) => one !== age);
    edit({ agesTreated: on ? [...others, age] : others });
  };
  return (
    <fieldset className={css.ages} aria-describedby={error && `${id}-error`}>
      <legend className={css.label}>{t`Ages treated`}</legend>
      <div className={css.fours}>
        {Object.entries(ages).map(([age, words]) => (
          <Checkbox
            key={age}
            label={words[language]}
            aria-invalid={error ? true : undefined}
            checked={draft.agesTreated.includes(age)}
            onChange={(event) => toggle(age, event.target.checked)}
          />
        ))}
      </div>
      <FieldNotes id={id} error={error} />
    </fieldset>
  );
}

function TimeZone({ draft, saved, field }: FieldsProps) {
  const { t } = useLingui();
  const language = useLanguage();
  const now = useNow();
  const time = formatTime(now, language, draft.timeZone);
  const before = formatTime(now, language, saved.timeZone);
  return (
    <>
      <div className={css.twos}>
        <Select label={t`Time zone`} hint={t`It is ${time} there now.`} {...field('timeZone')}>
          {!Object.hasOwn(timeZones, saved.timeZone) && <option>{saved.timeZone}</option>}
          {Object.entries(timeZones).map(([name, words]) => (
            <option key={name} value={name}>
              {words[language]}
            </option>
          ))}
        </Select>
      </div>
      {draft.timeZone !== saved.timeZone && (
        <Banner tone="amber">
          {t`By the office's clock it will be ${time} instead of ${before}. Opening hours, “today” and every time on screen follow that clock at once; what happened already keeps its moment and is shown by the new clock.`}
        </Banner>
      )}
    </>
  );
}
