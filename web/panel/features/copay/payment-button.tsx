import { useLingui } from '@lingui/react/macro';
import { useEffect, useRef, useState } from 'react';
import type { QueueEntry } from '#contract/queue.ts';
import { CardIcon } from '#web/icons/card.tsx';
import { Button } from '#web/panel/ui/button.tsx';
import { PaymentDetails } from './payment-details.tsx';
import { RequestPayment } from './request-payment.tsx';
import type { RequestText } from './use-payment.ts';

/** Opens the details of a visit's payment, or the request for one. */
export function PaymentButton({ visit, name, mayRequest, usualCents, onTexted }: PaymentButtonProps) {
  const { t } = useLingui();
  const [open, setOpen] = useState<'details' | 'request' | null>(null);
  const { paymentResponse: payment } = visit;
  const details = useRef<HTMLButtonElement>(null);
  const requested = useRef<{ after: string | undefined }>(null);
  const close = () => setOpen(null);
  const chargeId = payment?.chargeId;
  useEffect(() => {
    // The button that opened the request is gone: the one of the new payment takes the focus.
    if (open !== null || requested.current === null || requested.current.after === chargeId) return;
    requested.current = null;
    details.current?.focus();
  }, [chargeId, open]);
  // One that failed is the patient's to try again, until another one is requested or it is canceled.
  const isSettled = payment === null || ['SUCCEEDED', 'CANCELLED', 'FAILED'].includes(payment.state);
  return (
    <>
      {payment && (
        <Button ref={details} size="s" icon={CardIcon} aria-haspopup="dialog" onClick={() => setOpen('details')}>
          {payment.state === 'SUCCEEDED' ? t`Payment Done` : t`Payment Pending`}
        </Button>
      )}
      {mayRequest && isSettled && (
        <Button size="s" icon={CardIcon} aria-haspopup="dialog" onClick={() => setOpen('request')}>
          {payment === null ? t`Request payment` : t`Request another payment`}
        </Button>
      )}
      {open === 'details' && payment && <PaymentDetails known={payment} name={name} onClose={close} />}
      {open === 'request' && (
        <RequestPayment
          visit={visit}
          name={name}
          usualCents={usualCents}
          onTexted={(text, cents) => {
            requested.current = { after: chargeId };
            onTexted(text, cents);
          }}
          onClose={close}
        />
      )}
    </>
  );
}

export interface PaymentButtonProps {
  visit: QueueEntry;
  /** The patient, as the queue shows the name. */
  name: string;
  /** The practice takes payments, and the visit is of today. */
  mayRequest: boolean;
  usualCents: number | null;
  /** The text with the link to pay was written; its outcome may still be open. */
  onTexted: (text: RequestText, cents: number) => void;
}
