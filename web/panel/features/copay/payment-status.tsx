import { useLingui } from '@lingui/react/macro';
import type { ShownPaymentState } from '#contract/copay.ts';
import { CheckCircleIcon } from '#web/icons/check-circle.tsx';
import { ClockIcon } from '#web/icons/clock.tsx';
import { CloseCircleIcon } from '#web/icons/close-circle.tsx';
import { HelpIcon } from '#web/icons/help.tsx';
import { StatusBadge } from '#web/panel/ui/status-badge.tsx';
import css from './copay.module.css';

interface PaymentStatusProps {
  state: ShownPaymentState;
  /** The patient has not paid yet. */
  requested: boolean;
}

/** The label and tint of each payment state. */
export function PaymentStatus({ state, requested }: PaymentStatusProps) {
  const { t } = useLingui();
  if (state === 'SUCCEEDED')
    return <StatusBadge tone="green" icon={CheckCircleIcon}>{t`Payment Successful`}</StatusBadge>;
  if (state === 'PENDING')
    return (
      <span className={css.status}>
        <StatusBadge tone="amber" icon={ClockIcon}>{t`Pending Approval`}</StatusBadge>
        {requested && <span className={css.note}>{t`Requested, not paid`}</span>}
      </span>
    );
  if (state === 'CANCELLED') return <StatusBadge tone="red" icon={CloseCircleIcon}>{t`Payment Cancelled`}</StatusBadge>;
  if (state === 'FAILED') return <StatusBadge tone="red" icon={CloseCircleIcon}>{t`Payment Failed`}</StatusBadge>;
  return <StatusBadge tone="gray" icon={HelpIcon}>{t`Unknown`}</StatusBadge>;
}
