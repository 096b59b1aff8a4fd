import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { Session } from '#web/kit/session.ts';
import { CardIcon } from '#web/icons/card.tsx';
import { ChatIcon } from '#web/icons/chat.tsx';
import { CheckCircleIcon } from '#web/icons/check-circle.tsx';
import { HistoryIcon } from '#web/icons/history.tsx';
import { SendIcon } from '#web/icons/send.tsx';
import { EngageIcon } from '#web/icons/engage.tsx';
import { FormIcon } from '#web/icons/form.tsx';
import { MessageIcon } from '#web/icons/message.tsx';
import { PeopleIcon } from '#web/icons/people.tsx';
import { SettingsIcon } from '#web/icons/settings.tsx';
import type { Icon } from '#web/icons/shape.tsx';
import type { PanelPath } from './panel-path.ts';

/** A tab of the top bar. `shown` decides who sees it. */
export interface PanelTab {
  to: PanelPath;
  /** Another address of the same tab. */
  also?: PanelPath | '/dashboard/patient-details';
  label: MessageDescriptor;
  icon: Icon;
  /** Only the icon is shown; the label is its accessible name and its tooltip. */
  iconOnly?: true;
  shown: (session: Session) => boolean;
}

/** An office in sms mode works in the SMS dashboard instead of the queue. A locked panel keeps its page. */
export const isSmsOffice = ({ gate }: Session): boolean => gate.because === 'sms-mode' || gate.because === 'locked';

/** An ambulatory office works with its patients after surgery instead of the queue. */
export const isAmbulatoryOffice = ({ gate }: Session): boolean => gate.because === 'ambulatory';

const isQueueOffice = (session: Session): boolean => !isSmsOffice(session) && !isAmbulatoryOffice(session);

/** Whether this office works with the live queue. */
export const hasCheckinTab = (session: Session): boolean => !session.flags.disableCheckin && isQueueOffice(session);

const hasChat = ({ office }: Session): boolean => office !== null && (office.chatEnabled || office.appointmentsEnabled);

/** In the order of the tab bar. */
export const panelTabs: readonly PanelTab[] = [
  { to: '/sms-dashboard', label: msg`SMS`, icon: SendIcon, shown: isSmsOffice },
  { to: '/sms-dashboard/checked-in', label: msg`Checked In Patients`, icon: CheckCircleIcon, shown: isSmsOffice },
  { to: '/sms-dashboard/history', label: msg`Patient History`, icon: HistoryIcon, shown: isSmsOffice },
  {
    to: '/dashboard/patients',
    also: '/dashboard/patient-details',
    label: msg`Patient List`,
    icon: PeopleIcon,
    shown: isAmbulatoryOffice,
  },
  { to: '/dashboard/surveys', label: msg`Surveys`, icon: FormIcon, shown: isAmbulatoryOffice },
  { to: '/dashboard/chat', label: msg`Chat`, icon: ChatIcon, shown: isAmbulatoryOffice },
  {
    to: '/dashboard',
    label: msg`Check-in`,
    icon: CheckCircleIcon,
    shown: hasCheckinTab,
  },
  {
    to: '/dashboard',
    label: msg`Engage Patients`,
    icon: EngageIcon,
    shown: (session) => session.flags.disableCheckin === true && isQueueOffice(session),
  },
  {
    to: '/dashboard/engage',
    label: msg`Engage Patients`,
    icon: EngageIcon,
    shown: hasCheckinTab,
  },
  {
    to: '/dashboard/form-types',
    also: '/dashboard/forms',
    label: msg`View Forms`,
    icon: FormIcon,
    shown: ({ flags }) => !flags.useOldFormsScreen,
  },
  {
    to: '/dashboard/forms',
    label: msg`View Forms`,
    icon: FormIcon,
    shown: ({ flags }) => flags.useOldFormsScreen === true,
  },
  {
    to: '/dashboard/messages',
    label: msg`Messages`,
    icon: MessageIcon,
    // An ambulatory office reads the same conversations in its chat.
    shown: (session) => session.flags.sendSMSEnabled !== false && !isAmbulatoryOffice(session),
  },
  {
    to: '/dashboard/chat',
    label: msg`Website Chatbox`,
    icon: ChatIcon,
    // Offices without the Check-in tab see what it would be; `chatEnabled` or `appointmentsEnabled` shows it to the others.
    shown: (session) =>
      !isAmbulatoryOffice(session) &&
      (hasChat(session) || (session.flags.disableCheckin === true && isQueueOffice(session))),
  },
  {
    to: '/dashboard/transactions',
    label: msg`Transactions`,
    icon: CardIcon,
    shown: ({ office }) => office?.hasTransactions === true,
  },
  { to: '/dashboard/settings', label: msg`Settings`, icon: SettingsIcon, iconOnly: true, shown: () => true },
];

/** The path that the gate leads to; the queue if the panel has no such page. */
export function pathToOpen(to: string): PanelPath {
  if (to === '/chadis/signhipaa' || to === '/dashboard/forms') return to;
  return panelTabs.find((tab) => tab.to === to)?.to ?? '/dashboard';
}
