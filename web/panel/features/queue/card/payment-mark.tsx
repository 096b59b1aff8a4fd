import { useLingui } from '@lingui/react/macro';
import type { PaymentResponse } from '#contract/copay.ts';
import type { QueueEntry } from '#contract/queue.ts';
import { CardIcon } from '#web/icons/card.tsx';
import { CheckIcon } from '#web/icons/check.tsx';
import { ClockIcon } from '#web/icons/clock.tsx';
import { CloseCircleIcon } from '#web/icons/close-circle.tsx';
import { HelpIcon } from '#web/icons/help.tsx';
import type { Icon } from '#web/icons/shape.tsx';
import { formatMoney } from '#web/kit/format.tsx';
import { useLanguage } from '#web/kit/i18n.ts';
import { classNames } from '#web/panel/ui/class-names.ts';
import { StatusBadge } from '#web/panel/ui/status-badge.tsx';
import { VisuallyHidden } from '#web/kit/visually-hidden.tsx';
import css from './visit-card.module.css';

interface Mark {
  tone: 'green' | 'amber' | 'red' | 'gray';
  icon: Icon;
  label: string;
}

/** The amount of a visit's newest payment and what became of it. */
function usePaymentMark(): (payment: PaymentResponse) => Mark {
  const { t } = useLingui();
  const language = useLanguage();
  return ({ state, amount, requested, refunded, recording, chargedTwice }) => {
    const money = formatMoney(amount, language);
    const back = formatMoney(refunded, language);
    if (chargedTwice) return { tone: 'red', icon: HelpIcon, label: t`${money} · paid twice, refund one` };
    if (state === 'SUCCEEDED' && (recording === 'missing' || recording === 'unknown'))
      return { tone: 'amber', icon: CheckIcon, label: t`${money} · paid, not recorded` };
    if (state === 'SUCCEEDED' && refunded > 0)
      return { tone: 'green', icon: CheckIcon, label: t`${money} · ${back} refunded` };
    if (state === 'SUCCEEDED') return { tone: 'green', icon: CheckIcon, label: t`${money} · paid` };
    if (state === 'FAILED') return { tone: 'red', icon: CloseCircleIcon, label: t`${money} · failed` };
    if (state === 'CANCELLED' && refunded > 0)
      return { tone: 'gray', icon: CloseCircleIcon, label: t`${money} · voided` };
    if (state === 'CANCELLED') return { tone: 'gray', icon: CloseCircleIcon, label: t`${money} · canceled` };
    if (state === 'UNKNOWN') return { tone: 'red', icon: HelpIcon, label: t`${money} · not known whether paid` };
    return { tone: 'amber', icon: ClockIcon, label: requested ? t`${money} · requested` : t`${money} · being checked` };
  };
}

/** Beside 'Payment Pending' and 'Payment Done', which do not say how much, nor why. */
export function PaymentBadge({ visit: { paymentResponse } }: { visit: QueueEntry }) {
  const markOf = usePaymentMark();
  if (!paymentResponse) return null;
  const { tone, icon, label } = markOf(paymentResponse);
  return (
    <StatusBadge tone={tone} icon={icon}>
      {label}
    </StatusBadge>
  );
}

/** On the card: whether the copay is paid, requested, or did not work. */
export function PaymentMark({ visit: { paymentResponse } }: { visit: QueueEntry }) {
  const { t } = useLingui();
  const markOf = usePaymentMark();
  if (!paymentResponse || (paymentResponse.state === 'CANCELLED' && !paymentResponse.chargedTwice)) return null;
  const { tone, icon: MarkIcon, label } = markOf(paymentResponse);
  const name = t`Payment: ${label}`;
  // Amber if the practice software lacks it: whoever has paid is not asked again.
  const isPaid = paymentResponse.state === 'SUCCEEDED';
  const short = paymentResponse.chargedTwice ? t`Paid 2×` : isPaid ? t`Paid` : t`Copay`;
  const tint = { green: css.ready, amber: css.pending, red: css.failed, gray: undefined }[tone];
  return (
    <span className={classNames(css.forms, css.payment, tint)} title={name}>
      <CardIcon size={12} />
      <span aria-hidden="true">{short}</span>
      <MarkIcon size={12} />
      <VisuallyHidden>{name}</VisuallyHidden>
    </span>
  );
}
