import { useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { episodeDateRange, longestPatientName } from '#contract/ambulatory/shapes.ts';
import { serverNow } from '#web/kit/clock.ts';
import { useOfficeZone } from '#web/kit/format.tsx';
import { dayOf, daysFrom } from '#web/kit/office-clock.ts';
import { Select, TextInput } from '#web/panel/ui/field.tsx';
import { PhoneInput } from '#web/panel/ui/phone-input.tsx';

/** What is typed into the form of an invite. */
export function useInviteDraft() {
  const today = dayOf(serverNow(), useOfficeZone());
  const [patientName, setPatientName] = useState('');
  const [digits, setDigits] = useState('');
  const [episodeDate, setEpisodeDate] = useState(today);
  const [language, setLanguage] = useState<'en' | 'es' | undefined>();
  return {
    today,
    patientName,
    setPatientName,
    digits,
    setDigits,
    episodeDate,
    setEpisodeDate,
    language,
    setLanguage,
    hasName: patientName.trim() !== '',
    // A number without all its digits is no number yet.
    phoneNumber: digits.length === 10 ? `+1${digits}` : null,
  };
}

interface InviteFieldsProps {
  draft: ReturnType<typeof useInviteDraft>;
  /** The invite is on its way or decided: nothing can be changed. */
  isFixed: boolean;
  /** Says that the name is missing. */
  lacksName: boolean;
  phoneError: string | undefined;
  /** Another number was typed. */
  onPhone: () => void;
}

/** Who is invited, at which number, for a surgery of which day, in which language. */
export function InviteFields({ draft, isFixed, lacksName, phoneError, onPhone }: InviteFieldsProps) {
  const { t } = useLingui();
  const { today } = draft;
  return (
    <>
      <TextInput
        label={t`Patient name`}
        autoComplete="off"
        required
        maxLength={longestPatientName}
        readOnly={isFixed}
        value={draft.patientName}
        {...(lacksName && { error: t`Enter the patient’s name.` })}
        onChange={(event) => draft.setPatientName(event.target.value)}
      />
      <PhoneInput
        label={t`Mobile number`}
        autoComplete="off"
        required
        readOnly={isFixed}
        value={draft.digits}
        hint={t`All ten digits of a US number.`}
        error={phoneError}
        onChange={(next) => {
          draft.setDigits(next);
          onPhone();
        }}
      />
      <TextInput
        label={t`Day of the surgery`}
        type="date"
        required
        readOnly={isFixed}
        min={daysFrom(today, -episodeDateRange.pastDays)}
        max={daysFrom(today, episodeDateRange.futureDays)}
        value={draft.episodeDate}
        hint={t`The first survey is sent the day after.`}
        onChange={(event) => draft.setEpisodeDate(event.target.value || today)}
      />
      <Select
        label={t`Language of the texts`}
        value={draft.language ?? ''}
        disabled={isFixed}
        onChange={({ target }) => draft.setLanguage((['en', 'es'] as const).find((one) => one === target.value))}
      >
        <option value="">{t`The patient’s, if we know it`}</option>
        <option value="en" lang="en">
          English
        </option>
        <option value="es" lang="es">
          Español
        </option>
      </Select>
    </>
  );
}
