import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { usePublicConfig } from '#web/kit/public-config.ts';
import { useSession } from '#web/kit/session.ts';
import { BellIcon } from '#web/icons/bell.tsx';
import { BuildingIcon } from '#web/icons/building.tsx';
import { ChatIcon } from '#web/icons/chat.tsx';
import { ClockIcon } from '#web/icons/clock.tsx';
import { FormIcon } from '#web/icons/form.tsx';
import { HelpIcon } from '#web/icons/help.tsx';
import { LanguagesIcon } from '#web/icons/languages.tsx';
import { LockIcon } from '#web/icons/lock.tsx';
import { MessageIcon } from '#web/icons/message.tsx';
import { PanelIcon } from '#web/icons/panel.tsx';
import { PeopleIcon } from '#web/icons/people.tsx';
import { PersonIcon } from '#web/icons/person.tsx';
import { QrIcon } from '#web/icons/qr.tsx';
import { RowsIcon } from '#web/icons/rows.tsx';
import { ShieldIcon } from '#web/icons/shield.tsx';
import { paymentsLinkOf, type SettingsLink } from './payments-link.ts';

const practiceSettings: readonly SettingsLink[] = [
  {
    to: '/dashboard/settings/office',
    icon: BuildingIcon,
    name: msg`Office details`,
    summary: msg`Name, address, email, software, time zone`,
  },
  {
    to: '/dashboard/settings/queue',
    icon: ClockIcon,
    name: msg`Queue`,
    summary: msg`Auto-invite, late alerts, opening hours, greeting`,
  },
  {
    to: '/dashboard/settings/messages',
    icon: MessageIcon,
    name: msg`Messages`,
    summary: msg`Quiet hours, snippets, default text, lead time`,
  },
  {
    to: '/dashboard/settings/widget',
    icon: ChatIcon,
    name: msg`Website chat`,
    summary: msg`Chat on your website: websites, color, greeting, hours`,
  },
  {
    to: '/dashboard/settings/forms',
    icon: RowsIcon,
    name: msg`Forms`,
    summary: msg`Which forms patients are asked for, and your own forms`,
  },
  {
    to: '/dashboard/settings/panels',
    icon: PanelIcon,
    name: msg`Panels and screens`,
    summary: msg`Queue or SMS dashboard, forms screen, website chat`,
  },
  {
    to: '/dashboard/settings/team',
    icon: PeopleIcon,
    name: msg`Team`,
    summary: msg`Invite or remove colleagues`,
  },
  {
    to: '/dashboard/settings/poster',
    icon: QrIcon,
    name: msg`Check-in poster`,
    summary: msg`A page with a QR code to print and hang at the door`,
  },
  {
    to: '/dashboard/settings/agreement',
    icon: FormIcon,
    name: msg`Agreement`,
    summary: msg`The signed HIPAA agreement: who, when, download`,
  },
  {
    to: '/dashboard/settings/audit',
    icon: ShieldIcon,
    name: msg`Activity log`,
    summary: msg`Who viewed or changed patient information`,
  },
];

const personalSettings: readonly SettingsLink[] = [
  {
    to: '/dashboard/settings/notifications',
    icon: BellIcon,
    name: msg`Notifications`,
    summary: msg`Alerts, notifications and the sound when a patient arrives`,
  },
  { to: '/dashboard/settings/languages', icon: LanguagesIcon, name: msg`Languages`, summary: msg`English or Spanish` },
  {
    to: '/dashboard/settings/preferences',
    icon: PersonIcon,
    name: msg`My preferences`,
    summary: msg`Colors, rows, keyboard, privacy`,
  },
  {
    to: '/dashboard/settings/security',
    icon: LockIcon,
    name: msg`Security`,
    summary: msg`Devices, passkeys, authenticator app`,
  },
];

const help: readonly SettingsLink[] = [
  {
    to: '/dashboard/settings/live-customer-support',
    icon: HelpIcon,
    name: msg`Live customer support`,
    summary: msg`Write to us`,
  },
];

/** Pages of settings under one heading. */
export interface SettingsGroup {
  title: string;
  links: readonly SettingsLink[];
}

/** Every page of the settings, for the list and for the rail. */
export function useSettingsGroups(): readonly SettingsGroup[] {
  const { t } = useLingui();
  const { office, person } = useSession();
  const config = usePublicConfig();
  const payments = office && config?.payments !== false ? paymentsLinkOf(office) : null;
  return [
    {
      title: office?.officeName ?? t`The practice`,
      links: payments ? [...practiceSettings, payments] : practiceSettings,
    },
    { title: person?.name || t`You`, links: personalSettings },
    { title: t`Help`, links: help },
  ];
}
