import { useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import type { Payment, RefundState } from '#contract/copay.ts';
import { errorMessage } from '#web/kit/error-messages.ts';
import { Money, Time } from '#web/kit/format.tsx';
import { Banner } from '#web/panel/ui/banner.tsx';
import { Button } from '#web/panel/ui/button.tsx';
import { Dialog } from '#web/panel/ui/dialog.tsx';
import { LoadError } from '#web/panel/ui/load-error.tsx';
import css from './copay.module.css';
import { GiveBack, type Giving } from './give-back.tsx';
import { PaymentStatus } from './payment-status.tsx';
import { useChangePayment, usePayment } from './use-payment.ts';

/** What is known before the payment is loaded. */
type Known = Pick<Payment, 'chargeId' | 'amount' | 'state' | 'transferId'>;

/** The payment's amount, status and transfer ID, its refunds, and what the desk can do with it. */
export function PaymentDetails({ known, onClose }: { known: Known; onClose: () => void }) {
  const { t } = useLingui();
  const loaded = usePayment(known.chargeId);
  const payment = loaded.data;
  const { amount, state, transferId } = payment ?? known;
  const [giving, setGiving] = useState<Giving | null>(null);
  const footer = <Button onClick={onClose}>{t`Close`}</Button>;
  return (
    <Dialog title={t`Payment details`} size="s" onClose={onClose} footer={footer}>
      <div className={css.body}>
        <dl className={css.rows}>
          <div>
            <dt>{t`Amount`}</dt>
            <dd>
              <Money cents={amount} />
            </dd>
          </div>
          <div>
            <dt>{t`Status`}</dt>
            <dd>
              <PaymentStatus state={state} />
            </dd>
          </div>
          <div>
            <dt>{t`Transfer ID`}</dt>
            <dd>{transferId === null ? '–' : <bdi dir="ltr">{transferId}</bdi>}</dd>
          </div>
          {payment && <MoreRows payment={payment} />}
        </dl>
        {loaded.isError && !payment && <LoadError title={t`This payment could not be loaded`} query={loaded} />}
        {payment && <WhatNext payment={payment} />}
        {payment && payment.refunds.length > 0 && <Refunds payment={payment} />}
        {payment && !giving && <Actions payment={payment} onGive={setGiving} />}
        {payment && giving && <GiveBack payment={payment} giving={giving} onDone={() => setGiving(null)} />}
      </div>
    </Dialog>
  );
}

function MoreRows({ payment }: { payment: Payment }) {
  const { t } = useLingui();
  const { cardBrand, cardLast4, settledAt, state, claims, copay, endedBy, endReason } = payment;
  return (
    <>
      {claims > 0 && (
        <div>
          <dt>{t`Of this`}</dt>
          <dd>
            {t`Copay`} <Money cents={copay} /> · {t`Claims`} <Money cents={claims} />
          </dd>
        </div>
      )}
      {cardBrand !== null && (
        <div>
          <dt>{t`Card`}</dt>
          <dd>
            {cardBrand} •••• {cardLast4}
          </dd>
        </div>
      )}
      {settledAt !== null && state === 'SUCCEEDED' && (
        <div>
          <dt>{t`Paid`}</dt>
          <dd>
            <Time at={settledAt} />
          </dd>
        </div>
      )}
      {endReason !== null && (
        <div>
          <dt>{t`Reason`}</dt>
          <dd>
            {endReason}
            {endedBy !== null && ` (${endedBy})`}
          </dd>
        </div>
      )}
    </>
  );
}

/** In one sentence, what the state means for the desk. */
function WhatNext({ payment }: { payment: Payment }) {
  const { t } = useLingui();
  const { recording } = useChangePayment(payment.chargeId);
  const failed = recording.error;
  if (payment.recording === 'missing' && payment.state === 'SUCCEEDED')
    return (
      <Banner tone="amber">
        <span>{t`Payment was successfully charged but not recorded in Athena. Please try again.`}</span>{' '}
        <Button size="s" busy={recording.isPending} onClick={() => recording.mutate()}>
          {t`Try again`}
        </Button>
        {failed && <span role="alert">{errorMessage(failed, t`The server could not be reached. Try again.`)}</span>}
      </Banner>
    );
  const texts: Partial<Record<Payment['state'], string>> = {
    PENDING: payment.requested
      ? t`The patient has not paid yet.`
      : t`The payment provider has not decided yet. Nothing else to do.`,
    FAILED: t`Nothing was charged. The patient can try again with another card.`,
    UNKNOWN: t`The payment provider did not say whether it was charged. See the to-do list under Transactions.`,
  };
  const text = texts[payment.state];
  return text === undefined ? null : <p className={css.note}>{text}</p>;
}

function Refunds({ payment: { refunds } }: { payment: Payment }) {
  const { t } = useLingui();
  const states: Record<RefundState, string> = {
    PENDING: t`under way`,
    SUCCEEDED: t`done`,
    FAILED: t`failed`,
    UNKNOWN: t`outcome unknown`,
  };
  return (
    <ul className={css.refunds} aria-label={t`Refunds`}>
      {refunds.map(({ id, kind, amount, reason, state, by }) => (
        <li key={id}>
          {kind === 'void' ? t`Voided` : t`Refund`} <Money cents={amount} /> · {states[state]} · {reason}
          {by !== null && ` (${by})`}
        </li>
      ))}
    </ul>
  );
}

function Actions({ payment, onGive }: { payment: Payment; onGive: (giving: Giving) => void }) {
  const { t } = useLingui();
  const { state, requested, mayVoid, amount, refunds } = payment;
  const taken = refunds.filter((refund) => refund.state !== 'FAILED').reduce((sum, refund) => sum + refund.amount, 0);
  const isPaid = state === 'SUCCEEDED';
  return (
    <div className={css.actions}>
      {requested && <Button onClick={() => onGive('withdraw')}>{t`Cancel request`}</Button>}
      {isPaid && mayVoid && <Button onClick={() => onGive('void')}>{t`Void`}</Button>}
      {isPaid && taken < amount && <Button onClick={() => onGive('refund')}>{t`Refund`}</Button>}
    </div>
  );
}
