import { useLingui } from '@lingui/react/macro';
import { useId, useRef, type ReactNode, type RefObject } from 'react';
import type { PatientPayment } from '#contract/copay.ts';
import type { PatientVisit } from '#contract/patient/visit.ts';
import { CheckCircleIcon } from '#web/icons/check-circle.tsx';
import { formatFullDay, formatMoney, formatTime, Phone } from '#web/kit/format.tsx';
import { useLanguage } from '#web/kit/i18n.ts';
import notice from '#web/phone/ui/notice.module.css';
import buttons from '#web/questionnaire/ui/button.module.css';
import css from './pay.module.css';

interface ReceiptProps {
  visit: PatientVisit;
  payment: PatientPayment;
  heading?: RefObject<HTMLHeadingElement | null>;
}

/** What was paid, to whom, when and with which card. It prints alone. */
export function Receipt({ visit, payment, heading }: ReceiptProps) {
  const { t } = useLingui();
  const language = useLanguage();
  const id = useId();
  const box = useRef<HTMLElement>(null);
  const { paidAt, cardBrand, cardLast4, transferId, refunded, isBounced } = payment;
  const amount = formatMoney(payment.amount, language);
  const day = formatFullDay(paidAt ?? visit.now, language, visit.timeZone);
  const time = formatTime(paidAt ?? visit.now, language, visit.timeZone);
  return (
    <section ref={box} className={`${notice.box} ${css.receipt}`} aria-labelledby={id}>
      <h2 id={id} ref={heading} tabIndex={-1} className={css.paid}>
        {!isBounced && <CheckCircleIcon size={22} />}
        {isBounced && t`Taken back by your bank: ${amount}`}
        {!isBounced && (refunded >= payment.amount ? t`Payment returned: ${amount}` : t`Paid: ${amount}`)}
      </h2>
      <dl className={css.facts}>
        <Fact name={t`Patient`}>{payment.patientName}</Fact>
        {payment.copay > 0 && <Fact name={t`Copay`}>{formatMoney(payment.copay, language)}</Fact>}
        {payment.claims > 0 && <Fact name={t`Past balance`}>{formatMoney(payment.claims, language)}</Fact>}
        <Fact name={t`Practice`}>{visit.officeName}</Fact>
        <Fact name={t`Address`}>{visit.address}</Fact>
        {visit.practicePhone !== null && (
          <Fact name={t`Phone`}>
            <Phone value={visit.practicePhone} />
          </Fact>
        )}
        <Fact name={t`Date`}>
          {day}, {time}
        </Fact>
        {cardBrand !== null && (
          <Fact name={t`Card`}>
            {cardBrand} •••• {cardLast4}
          </Fact>
        )}
        {refunded > 0 && !isBounced && <Fact name={t`Refunded`}>{formatMoney(refunded, language)}</Fact>}
        <Fact name={t`Receipt number`}>{transferId ?? payment.id}</Fact>
      </dl>
      <button type="button" className={buttons.plain} onClick={() => printAlone(box.current)}>
        {t`Print receipt`}
      </button>
    </section>
  );
}

/** Of several receipts only this one is printed. */
function printAlone(receipt: HTMLElement | null): void {
  receipt?.setAttribute('data-printed', '');
  window.print();
  receipt?.removeAttribute('data-printed');
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
