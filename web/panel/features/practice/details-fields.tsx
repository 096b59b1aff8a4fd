import { useLingui } from '@lingui/react/macro';
import { formatPhone } from '#contract/phone-format.ts';
import type { OfficeDetails } from '#contract/practice/details.ts';
import type { Field } from '#contract/practice/registration.ts';
import { timeZones } from '#contract/practice/time-zones.ts';
import { useNow } from '#web/kit/clock.ts';
import { formatTime } from '#web/kit/format.tsx';
import { useLanguage } from '#web/kit/i18n.ts';
import type { TextField } from '#web/kit/text-field.ts';
import { Banner } from '#web/panel/ui/banner.tsx';
import { Card } from '#web/panel/ui/card.tsx';
import { TextInput } from '#web/panel/ui/field.tsx';
import { Chip } from '#web/panel/ui/status-badge.tsx';
import css from './details.module.css';
import { AddressInputs, AgesInput, ContactInputs, SoftwareAndSize, TimeZoneSelect } from './practice-inputs.tsx';

export type TextName = Exclude<keyof OfficeDetails, 'agesTreated'>;

interface FieldsProps {
  draft: OfficeDetails;
  saved: OfficeDetails & { npi: string; npiProvisional: boolean };
  edit: (change: Partial<OfficeDetails>) => void;
  errorAt: (field: Field) => { error?: string };
  field: TextField<TextName>;
}

/** The practice's name, and how to reach it. */
export function YourPractice({ saved, field }: FieldsProps) {
  const { t } = useLingui();
  return (
    <Card title={t`Your practice`}>
      <div className={css.group}>
        <p className={css.npi}>
          NPI <bdi dir="ltr">{saved.npi}</bdi>
          {saved.npiProvisional && <Chip>{t`Provisional`}</Chip>}
        </p>
        <ContactInputs field={field} />
        <TextInput
          label={t`Phone patients can call`}
          hint={t`Shown on the patient’s pages. Not the number that sends texts.`}
          type="tel"
          autoComplete="off"
          maxLength={40}
          {...field('phone')}
          value={formatPhone(field('phone').value)}
        />
      </div>
    </Card>
  );
}

export function PracticeAddress({ field }: FieldsProps) {
  const { t } = useLingui();
  return (
    <Card title={t`Address`}>
      <div className={css.group}>
        <AddressInputs field={field} streetLabel={t`Street and number`} />
      </div>
    </Card>
  );
}

export function HowYouWork(props: FieldsProps) {
  const { draft, saved, edit, errorAt, field } = props;
  const { t } = useLingui();
  const toggleAge = (age: string, on: boolean) => {
    const others = draft.agesTreated.filter((other) => other !== age);
    edit({ agesTreated: on ? [...others, age] : others });
  };
  return (
    <Card title={t`About your practice`}>
      <div className={css.group}>
        <SoftwareAndSize field={field} noSize={saved.patientSize === '' ? t`Select…` : undefined} />
        <AgesInput chosen={draft.agesTreated} error={errorAt('agesTreated').error} onToggle={toggleAge} />
        <TimeZone {...props} />
      </div>
    </Card>
  );
}

/** A new time zone moves every time on screen, so the change is announced before it is saved. */
function TimeZone({ draft, saved, field }: FieldsProps) {
  const { t } = useLingui();
  const language = useLanguage();
  const now = useNow();
  const time = formatTime(now, language, draft.timeZone);
  const before = formatTime(now, language, saved.timeZone);
  const isListed = Object.hasOwn(timeZones, saved.timeZone);
  return (
    <>
      <div className={css.half}>
        <TimeZoneSelect first={!isListed && <option>{saved.timeZone}</option>} {...field('timeZone')} />
      </div>
      {draft.timeZone !== saved.timeZone && (
        <Banner tone="amber">
          {t`Your practice’s clock will show ${time} instead of ${before}. Opening hours, “today” and every time on screen change right away. Nothing that already happened moves: only the times shown for it change.`}
        </Banner>
      )}
    </>
  );
}
