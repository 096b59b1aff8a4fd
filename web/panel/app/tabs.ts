import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { Session } from '#web/kit/session.ts';
import { CheckCircleIcon } from '#web/icons/check-circle.tsx';
import { FormIcon } from '#web/icons/form.tsx';
import { SettingsIcon } from '#web/icons/settings.tsx';
import type { Icon } from '#web/icons/shape.tsx';
import type { PanelPath } from './panel-path.ts';

/** A tab of the top bar: a room that exists, shown by its own rule. */
export interface Room {
  to: PanelPath;
  /** Another address inside the same room. */
  also?: PanelPath;
  label: MessageDescriptor;
  icon: Icon;
  /** Its icon stands alone, the label is its name and its tip. */
  iconOnly?: true;
  shown: (session: Session) => boolean;
}

/** In the order of the tab bar (one-product.md). */
export const rooms: readonly Room[] = [
  { to: '/dashboard', label: msg`Check-in`, icon: CheckCircleIcon, shown: ({ flags }) => !flags.disableCheckin },
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
  { to: '/dashboard/settings', label: msg`Settings`, icon: SettingsIcon, iconOnly: true, shown: () => true },
];

/** Where the gate's way leads: it names more rooms than are built, and those open the first. */
export function opened(to: string): PanelPath {
  if (to === '/chadis/signhipaa' || to === '/dashboard/forms') return to;
  return rooms.find((room) => room.to === to)?.to ?? '/dashboard';
}
