import { useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { createPortal } from 'react-dom';
import type { Payment } from '#contract/copay.ts';
import { formatFullDay, formatMoney, Money, Phone, Time, useOfficeZone } from '#web/kit/format.tsx';
import { useLanguage } from '#web/kit/i18n.ts';
import { useSession } from '#web/kit/session.ts';
import css from './copay.module.css';

/** Money moved, also if all of it was given back. */
export const isCharged = ({ state, refunded }: Payment) => state === 'SUCCEEDED' || refunded > 0;

/** The patient's receipt: only printed, and then alone. */
export function Receipt({ payment }: { payment: Payment }) {
  const { t } = useLingui();
  const { office } = useSession();
  const language = useLanguage();
  const zone = useOfficeZone();
  const amount = formatMoney(payment.amount, language);
  const { refunded, copay, claims, settledAt, createdAt, cardBrand, cardLast4, transferId, chargeId } = payment;
  return createPortal(
    <div className={css.receipt}>
      <h2>{refunded >= payment.amount ? t`Payment returned: ${amount}` : t`Paid: ${amount}`}</h2>
      <dl className={css.rows}>
        <Row name={t`Patient`}>{payment.patientName}</Row>
        {copay > 0 && (
          <Row name={t`Copay`}>
            <Money cents={copay} />
          </Row>
        )}
        {claims > 0 && (
          <Row name={t`Past balance`}>
            <Money cents={claims} />
          </Row>
        )}
        <Row name={t`Practice`}>{office?.officeName}</Row>
        <Row name={t`Address`}>{office?.address}</Row>
        {payment.practicePhone !== null && (
          <Row name={t`Phone`}>
            <Phone value={payment.practicePhone} />
          </Row>
        )}
        <Row name={t`Date`}>
          {formatFullDay(settledAt ?? createdAt, language, zone)}, <Time at={settledAt ?? createdAt} />
        </Row>
        {cardBrand !== null && (
          <Row name={t`Card`}>
            {cardBrand} •••• {cardLast4}
          </Row>
        )}
        {refunded > 0 && (
          <Row name={t`Refunded`}>
            <Money cents={refunded} />
          </Row>
        )}
        <Row name={t`Receipt number`}>
          <bdi dir="ltr">{transferId ?? chargeId}</bdi>
        </Row>
      </dl>
    </div>,
    document.body,
  );
}

function Row({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
