import { useLingui } from '@lingui/react/macro';
import type { QueueEntry } from '#contract/queue.ts';
import { Money } from '#web/kit/format.tsx';
import { Button } from '#web/panel/ui/button.tsx';
import { Dialog } from '#web/panel/ui/dialog.tsx';
import { CheckCircleIcon } from '#web/icons/check-circle.tsx';
import { ClockIcon } from '#web/icons/clock.tsx';
import { CloseCircleIcon } from '#web/icons/close-circle.tsx';
import { HelpIcon } from '#web/icons/help.tsx';
import { StatusBadge } from '#web/panel/ui/status-badge.tsx';
import css from './visit-panel.module.css';

/** The payment's amount, state and transfer ID. */
export function PaymentDetails({
  payment,
  onClose,
}: {
  payment: NonNullable<QueueEntry['paymentResponse']>;
  onClose: () => void;
}) {
  const { t } = useLingui();
  const footer = <Button onClick={onClose}>{t`Close`}</Button>;
  return (
    <Dialog title={t`Payment details`} size="s" onClose={onClose} footer={footer}>
      <dl className={css.rows}>
        <div>
          <dt>{t`Amount`}</dt>
          <dd>
            <Money cents={payment.amount} />
          </dd>
        </div>
        <div>
          <dt>{t`Status`}</dt>
          <dd>
            <PaymentStatus state={payment.state} />
          </dd>
        </div>
        <div>
          <dt>{t`Transfer ID`}</dt>
          <dd>
            <bdi dir="ltr">{payment.chargeId}</bdi>
          </dd>
        </div>
      </dl>
    </Dialog>
  );
}

/** The label and tint of each payment state. */
function PaymentStatus({ state }: { state: string }) {
  const { t } = useLingui();
  if (state === 'SUCCEEDED')
    return <StatusBadge tone="green" icon={CheckCircleIcon}>{t`Payment Successful`}</StatusBadge>;
  if (state === 'PENDING') return <StatusBadge tone="amber" icon={ClockIcon}>{t`Pending Approval`}</StatusBadge>;
  if (state === 'CANCELLED') return <StatusBadge tone="red" icon={CloseCircleIcon}>{t`Payment Cancelled`}</StatusBadge>;
  return <StatusBadge tone="gray" icon={HelpIcon}>{t`Unknown`}</StatusBadge>;
}
