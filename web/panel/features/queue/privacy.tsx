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

/** Returns a function that formats a patient's name: initials in privacy mode. A patient who checked in by text has no name yet. */
export function useShownName(): (name: string) => string {
  const { t } = useLingui();
  const privacy = usePrivacy();
  return (name) => (name.trim() === '' ? t`No name yet` : privacy ? initialsOf(name) : name);
}

/** A patient's name, isolated from the direction of the text around it. */
export function PatientName({ name }: { name: string }) {
  return <bdi>{useShownName()(name)}</bdi>;
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
