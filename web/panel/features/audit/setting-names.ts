import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { locales, useLanguage } from '#web/kit/i18n.ts';

/** What a stored setting is called on the screen. */
const settingNames: Record<string, MessageDescriptor> = {
  autoInviteEnabled: msg`auto-invite`,
  autoInviteWaitTime: msg`auto-invite time`,
  greeting: msg`greeting`,
  lateMinutes: msg`late alerts`,
  openingHours: msg`opening hours`,
  closedDays: msg`closed days`,
  forms: msg`the forms patients are asked for`,
  privacyNotice: msg`address of the privacy notice`,
  readyItems: msg`forms required before calling in`,
  lockMinutes: msg`minutes until the panel locks`,
  requiresAuthenticator: msg`authenticator app for everyone`,
  panel: msg`panel`,
  oldFormsScreen: msg`forms screen`,
  name: msg`name`,
  addressLine1: msg`address`,
  city: msg`city`,
  state: msg`state`,
  zip: msg`ZIP code`,
  email: msg`email`,
  url: msg`website`,
  phone: msg`phone for patients`,
  itContact: msg`IT contact`,
  emr: msg`management software`,
  patientSize: msg`number of patients`,
  agesTreated: msg`ages treated`,
  npi: msg`NPI`,
  timeZone: msg`time zone`,
  textNumber: msg`text number`,
  quietHours: msg`quiet hours`,
  snippets: msg`snippets`,
  appointmentLeadMinutes: msg`lead time of texts before appointments`,
  expectedReplyMinutes: msg`expected reply time`,
  answersWhenClosed: msg`automatic answer while closed`,
  smsText: msg`the message of Send SMS`,
  agreementSigned: msg`agreement`,
  chatEnabled: msg`website chat`,
  'surveys.plan': msg`survey plan`,
  'surveys.settings': msg`survey settings`,
  'chat.color': msg`color of the website chat`,
  'chat.greeting': msg`greeting of the website chat`,
  'chat.hours': msg`hours of the website chat`,
  'chat.origins': msg`websites that may show the chat`,
};

/** The names of settings, listed: of `autoInviteEnabled greeting`, "auto-invite, greeting". */
export function useSettingNames(): (stored: string) => string {
  const { t } = useLingui();
  const language = useLanguage();
  const nameOf = (stored: string) => {
    const name = settingNames[stored.replace(/^queue\.([^.]+).*/, '$1')];
    return name ? t(name) : stored;
  };
  return (stored) => new Intl.ListFormat(locales[language], { type: 'unit' }).format(stored.split(' ').map(nameOf));
}
