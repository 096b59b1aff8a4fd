import { useLingui } from '@lingui/react/macro';
import type { Payment } from '#contract/copay.ts';
import { DayTime, Money } from '#web/kit/format.tsx';
import { Button } from '#web/panel/ui/button.tsx';
import css from './copay.module.css';
import { PaymentStatus } from './payment-status.tsx';

type Other = Payment['otherPayments'][number];

/** The visit's other payments: an earlier one stays to be seen, refunded and printed when another is requested. */
export function OtherPayments({ payments, onOther }: { payments: Other[]; onOther: (payment: Other) => void }) {
  const { t } = useLingui();
  if (payments.length === 0) return null;
  return (
    <section aria-labelledby="other-payments">
      <h3 id="other-payments" className={css.note}>{t`Other payments of this visit`}</h3>
      <ul className={css.others}>
        {payments.map((payment) => (
          <li key={payment.chargeId}>
            <Button size="s" onClick={() => onOther(payment)}>
              <Money cents={payment.amount} /> · <DayTime at={payment.createdAt} />
            </Button>
            <PaymentStatus state={payment.state} requested={payment.requested} />
          </li>
        ))}
      </ul>
    </section>
  );
}
