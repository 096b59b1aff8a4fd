import { useLingui } from '@lingui/react/macro';
import { useEffect, useState, type FormEvent } from 'react';
import { episodeDateRange, longestPatientName } from '#contract/ambulatory/shapes.ts';
import { CheckCircleIcon } from '#web/icons/check-circle.tsx';
import { SendIcon } from '#web/icons/send.tsx';
import { serverNow } from '#web/kit/clock.ts';
import { useOfficeZone } from '#web/kit/format.tsx';
import { dayOf, daysFrom } from '#web/kit/office-clock.ts';
import { Button } from '#web/panel/ui/button.tsx';
import { Dialog } from '#web/panel/ui/dialog.tsx';
import { Select, TextInput } from '#web/panel/ui/field.tsx';
import { PhoneInput } from '#web/panel/ui/phone-input.tsx';
import css from './ambulatory.module.css';
import { useInvite } from './use-invite.ts';

const closeAfterMs = 2_000;

/** Texts a patient the link to the daily surveys. The dialog closes two seconds after the text was sent. */
export function InvitePatient({ onClose }: { onClose: () => void }) {
  const { t } = useLingui();
  const today = dayOf(serverNow(), useOfficeZone());
  const [patientName, setPatientName] = useState('');
  const [digits, setDigits] = useState('');
  const [episodeDate, setEpisodeDate] = useState(today);
  const [language, setLanguage] = useState<'en' | 'es' | undefined>();
  const [tried, setTried] = useState(false);
  const invite = useInvite();
  const { isSent, isPending, openNotice } = invite;
  // A number without all its digits is no number yet.
  const phoneNumber = digits.length === 10 ? `+1${digits}` : null;
  const hasName = patientName.trim() !== '';
  const isFixed = isPending || isSent || openNotice !== undefined;

  useEffect(() => {
    if (!isSent) return;
    const timer = setTimeout(onClose, closeAfterMs);
    return () => clearTimeout(timer);
  }, [isSent, onClose]);

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setTried(true);
    // The name is the first field; a number that is not complete locks Send.
    if (!hasName) event.currentTarget.querySelector('input')?.focus();
    if (!hasName || !phoneNumber || isFixed) return;
    invite.send({ patientName: patientName.trim(), phoneNumber, episodeDate, ...(language && { language }) });
  };
  return (
    <Dialog
      title={t`Invite Patient`}
      onClose={onClose}
      size="s"
      footer={
        <>
          <Button onClick={onClose}>{isFixed && !isPending ? t`Close` : t`Cancel`}</Button>
          <Button
            type="submit"
            form="invite-patient"
            variant="filled"
            icon={isSent ? CheckCircleIcon : SendIcon}
            busy={isPending}
            locked={phoneNumber === null || isFixed}
          >
            {isSent ? t`Sent` : t`Send`}
          </Button>
        </>
      }
    >
      <form id="invite-patient" className={css.form} noValidate onSubmit={submit}>
        <TextInput
          label={t`Patient name`}
          autoComplete="off"
          required
          maxLength={longestPatientName}
          readOnly={isFixed}
          value={patientName}
          {...(tried && !hasName && { error: t`Enter the patient’s name.` })}
          onChange={(event) => setPatientName(event.target.value)}
        />
        <PhoneInput
          label={t`Mobile number`}
          autoComplete="off"
          required
          readOnly={isFixed}
          value={digits}
          hint={t`All ten digits of a US number.`}
          error={invite.phoneError}
          onChange={(next) => {
            setDigits(next);
            invite.startOver();
          }}
        />
        <TextInput
          label={t`Day of the surgery`}
          type="date"
          required
          readOnly={isFixed}
          min={daysFrom(today, -episodeDateRange.pastDays)}
          max={daysFrom(today, episodeDateRange.futureDays)}
          value={episodeDate}
          hint={t`The first survey is asked the day after.`}
          onChange={(event) => setEpisodeDate(event.target.value || today)}
        />
        <Select
          label={t`Language of the texts`}
          value={language ?? ''}
          disabled={isFixed}
          onChange={({ target }) => setLanguage((['en', 'es'] as const).find((one) => one === target.value))}
        >
          <option value="">{t`The patient’s, if we know it`}</option>
          <option value="en" lang="en">
            English
          </option>
          <option value="es" lang="es">
            Español
          </option>
        </Select>
        <p role="status">{openNotice}</p>
      </form>
    </Dialog>
  );
}
