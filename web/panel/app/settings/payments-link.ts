import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { LinkProps } from '@tanstack/react-router';
import { paymentsEntry } from '#contract/merchant.ts';
import type { Session } from '#contract/sign-in/session.ts';
import { CardIcon } from '#web/icons/card.tsx';
import type { Icon } from '#web/icons/shape.tsx';

export interface SettingsLink {
  to: LinkProps['to'];
  icon: Icon;
  name: MessageDescriptor;
  summary: MessageDescriptor;
}

const paymentsLink = { to: '/apply', icon: CardIcon, summary: msg`Let patients pay by card on their phone` } as const;
/** The names are the specification's: offices without AthenaOne see "Enable Athena payments". */
const paymentsLinks: Record<NonNullable<ReturnType<typeof paymentsEntry>>, SettingsLink> = {
  payments: { ...paymentsLink, name: msg`Enable Payments` },
  'athena-payments': { ...paymentsLink, name: msg`Enable Athena payments` },
};

/** The way to the application: to enable payments, to see how it goes, or what became of it. */
export function paymentsLinkOf(office: NonNullable<Session['office']>): SettingsLink | null {
  const entry = paymentsEntry(office);
  const enable = entry && paymentsLinks[entry];
  const rejected = msg`The application was not approved: see what to do next`;
  switch (office.cardPayments) {
    case 'processing':
      return { ...paymentsLink, name: msg`Application Processing`, summary: msg`The payment provider reviews it` };
    case 'update-requested':
      return { ...paymentsLink, name: msg`Card payments`, summary: msg`The payment provider needs more information` };
    case 'approved':
      return { ...paymentsLink, name: msg`Card payments`, summary: msg`Approved: patients can pay on their phone` };
    case 'rejected':
      return { ...(enable ?? { ...paymentsLink, name: msg`Card payments` }), summary: rejected };
    default:
      return enable;
  }
}
