import { useLingui } from '@lingui/react/macro';
import { formatPhone } from '#contract/phone-format.ts';
import { formatFullDay } from '#web/kit/format.tsx';
import { useLanguage } from '#web/kit/i18n.ts';
import { useSession } from '#web/kit/session.ts';
import { initialsOf } from '#web/panel/ui/avatar.tsx';

/** Privacy mode: names are shown as initials everywhere in the queue. */
export function usePrivacy(): boolean {
  return useSession().person?.preferences.privacy === true;
}

/**
 * Returns a function that formats a patient's name: initials in privacy mode. A patient who checked in by text has no name yet; the number, if
 * it is passed in, says who that is.
 */
export function useShownName(): (name: string, phone?: string) => string {
  const { t } = useLingui();
  const privacy = usePrivacy();
  const shownPhone = useShownPhone();
  return (name, phone) => {
    if (name.trim() !== '') return privacy ? initialsOf(name) : name;
    return phone === undefined ? t`No name yet` : shownPhone(phone);
  };
}

/** A patient's name, isolated from the direction of the text around it; without a name the number, if it is passed in. */
export function PatientName({ name, phone }: { name: string; phone?: string | undefined }) {
  return <bdi>{useShownName()(name, phone)}</bdi>;
}

/** Returns a function that formats a mobile number, for texts: only its last four digits in privacy mode. */
export function useShownPhone(): (phone: string) => string {
  const privacy = usePrivacy();
  return (phone) => (privacy ? `(•••) •••-${phone.slice(-4)}` : formatPhone(phone));
}

/** A mobile number; in privacy mode only its last four digits. */
export function PatientPhone({ phone }: { phone: string }) {
  return <bdi dir="ltr">{useShownPhone()(phone)}</bdi>;
}

/** A birthday (YYYY-MM-DD) with the month as a word, since 02/04 is another day in Spanish. Hidden in privacy mode. */
export function PatientBirthday({ date }: { date: string }) {
  const language = useLanguage();
  return <bdi dir="ltr">{usePrivacy() ? '•• ••• ••••' : formatFullDay(`${date}T00:00:00Z`, language, 'UTC')}</bdi>;
}
