import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import type { TextState, VisitMessage } from '#contract/queue.ts';
import { CheckCircleIcon } from '#web/icons/check-circle.tsx';
import { CheckIcon } from '#web/icons/check.tsx';
import { ClockIcon } from '#web/icons/clock.tsx';
import { CloseCircleIcon } from '#web/icons/close-circle.tsx';
import { HelpIcon } from '#web/icons/help.tsx';
import { MoonIcon } from '#web/icons/moon.tsx';
import type { Icon } from '#web/icons/shape.tsx';
import { WarningIcon } from '#web/icons/warning.tsx';
import { useNow } from '#web/kit/clock.ts';
import { OfficeMoment } from '#web/kit/when.tsx';
import { classNames } from '#web/panel/ui/class-names.ts';
import { StatusBadge, type Tone } from '#web/panel/ui/status-badge.tsx';
import { textReason, withWait } from './text-error-messages.ts';
import css from './text-delivery.module.css';

/** How a text's state is named and shown, wherever it is. */
function useTextStates(): Record<TextState, { icon: Icon; label: string; tone: Tone; bad?: boolean }> {
  const { t } = useLingui();
  return {
    queued: { icon: ClockIcon, label: t`Queued`, tone: 'gray' },
    sending: { icon: ClockIcon, label: t`Sending…`, tone: 'gray' },
    sent: { icon: CheckIcon, label: t`Sent`, tone: 'gray' },
    delivered: { icon: CheckCircleIcon, label: t`Delivered`, tone: 'gray' },
    failed: { icon: WarningIcon, label: t`Not delivered`, tone: 'red', bad: true },
    unknown: { icon: HelpIcon, label: t`Delivery unknown`, tone: 'amber', bad: true },
    held: { icon: ClockIcon, label: t`Held back`, tone: 'amber', bad: true },
    cancelled: { icon: CloseCircleIcon, label: t`Canceled`, tone: 'gray' },
  };
}

/** A text's state as a badge. */
export function TextStateBadge({ state }: { state: TextState }) {
  const { icon, label, tone } = useTextStates()[state];
  return (
    <StatusBadge tone={tone} icon={icon}>
      {label}
    </StatusBadge>
  );
}

type ShownText = Pick<VisitMessage, 'problem'> & {
  state: TextState;
  limitedUntil?: string | null;
  sendAt?: string | null;
};

/** The delivery status of a text, and why it failed or is held back. */
export function TextDeliveryStatus({ state, problem, limitedUntil = null, sendAt = null }: ShownText) {
  const states = useTextStates();
  const now = useNow();
  if (state === 'queued' && sendAt !== null && Date.parse(sendAt) > now)
    return (
      <DeliveryStatus icon={MoonIcon}>
        <Trans>
          Goes out at <OfficeMoment at={sendAt} />
        </Trans>
      </DeliveryStatus>
    );
  const { icon, label, bad } = states[state];
  const why = state === 'held' || (state === 'failed' && problem !== null) ? textReason(state, problem) : null;
  const explained =
    why === null ? label : limitedUntil ? withWait(`${label}: ${why}.`, limitedUntil, now) : `${label}: ${why}`;
  return (
    <DeliveryStatus icon={icon} bad={bad}>
      {explained}
    </DeliveryStatus>
  );
}

interface DeliveryStatusProps {
  icon: Icon;
  bad?: boolean | undefined;
  children: ReactNode;
}

export function DeliveryStatus({ icon: StatusIcon, bad, children }: DeliveryStatusProps) {
  return (
    <span className={classNames(css.status, bad && css.bad)}>
      <StatusIcon size={12} />
      <span>{children}</span>
    </span>
  );
}
