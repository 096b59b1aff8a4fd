import { useLingui } from '@lingui/react/macro';
import { useEffect, useRef, useState } from 'react';
import type { PatientPayment } from '#contract/copay.ts';
import type { PatientVisit } from '#contract/patient/visit.ts';
import { formatMoney } from '#web/kit/format.tsx';
import { useLanguage } from '#web/kit/i18n.ts';
import { ErrorMessage } from '#web/questionnaire/ui/error-message.tsx';
import notice from '#web/phone/ui/notice.module.css';
import buttons from '#web/questionnaire/ui/button.module.css';
import { CardForm } from './card-form.tsx';
import { Receipt } from './receipt.tsx';
import { usePay } from './use-pay.ts';

interface VisitPaymentProps {
  token: string;
  visit: PatientVisit;
  payment: PatientPayment;
  /** Shows what became of the payment. */
  onPayment: (payment: PatientPayment) => void;
}

/** The visit's payments: the newest one, and the receipts of those before it. */
export function VisitPayments(props: VisitPaymentProps) {
  const { visit } = props;
  return (
    <>
      <VisitPayment {...props} />
      {visit.earlierPayments.map((payment) => (
        <Receipt key={payment.id} visit={visit} payment={payment} />
      ))}
    </>
  );
}

/** What to pay, the card form, what became of it, and the receipt. */
function VisitPayment({ token, visit, payment, onPayment }: VisitPaymentProps) {
  const { t } = useLingui();
  const amount = formatMoney(payment.amount, useLanguage());
  const { form, open, pay, paying, problem } = usePay(token, payment.id, onPayment);
  const heading = useFocusAfterPaying(payment);
  const [canceledBefore] = useState(payment.state === 'CANCELLED' ? payment.id : null);

  if (payment.paidAt !== null) return <Receipt visit={visit} payment={payment} heading={heading} />;
  if (payment.id === canceledBefore) return null;
  const mayPay = payment.state === 'REQUESTED' || payment.state === 'FAILED';
  const notes: Partial<Record<PatientPayment['state'], string>> = {
    CANCELLED: t`This payment was canceled. Nothing was charged.`,
    REQUESTED: t`The front desk asks you to pay this before your visit.`,
    PENDING: t`We are checking your payment. Please do not pay again.`,
    UNKNOWN: t`We do not know yet whether your payment went through. Please do not pay again; the front desk will find out.`,
    FAILED:
      payment.failure === 'declined'
        ? t`Your card was declined. Nothing was charged; you can try another card.`
        : t`Your payment did not go through. Nothing was charged; please try again.`,
  };
  return (
    <section className={notice.box} aria-labelledby="pay">
      <h2 id="pay" ref={heading} tabIndex={-1}>
        {t`Your payment: ${amount}`}
      </h2>
      <p role="status">{paying ? t`Paying… Please keep this page open.` : notes[payment.state]}</p>
      {mayPay && form === null && (
        <button type="button" className={buttons.main} onClick={open}>
          {payment.state === 'FAILED' ? t`Try again` : t`Pay by card`}
        </button>
      )}
      {mayPay && form !== null && !paying && <CardForm key={form} url={form} onCard={pay} />}
      {problem !== null && <ErrorMessage>{problem}</ErrorMessage>}
    </section>
  );
}

/** Moves the focus to the heading when the payment gets an outcome while the page is open. */
function useFocusAfterPaying({ id, state }: PatientPayment) {
  const heading = useRef<HTMLHeadingElement>(null);
  const [first] = useState(`${id} ${state}`);
  useEffect(() => {
    if (`${id} ${state}` !== first && state !== 'REQUESTED') heading.current?.focus();
  }, [first, id, state]);
  return heading;
}
