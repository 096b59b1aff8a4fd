import { useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import type { Payment, RefundState } from '#contract/copay.ts';
import { errorMessage } from '#web/kit/error-messages.ts';
import { formatMoney, Money, Time } from '#web/kit/format.tsx';
import { useLanguage } from '#web/kit/i18n.ts';
import { Banner } from '#web/panel/ui/banner.tsx';
import { Button } from '#web/panel/ui/button.tsx';
import { Dialog } from '#web/panel/ui/dialog.tsx';
import { LoadError } from '#web/panel/ui/load-error.tsx';
import css from './copay.module.css';
import { GiveBack, type Giving } from './give-back.tsx';
import { PaymentStatus } from './payment-status.tsx';
import { useRecordingProblem } from './recording-problem.ts';
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
  const texts: Partial<Record<Payment['state'], string>> = {
    PENDING: payment.requested
      ? t`The patient has not paid yet.`
      : t`The payment provider has not decided yet. Nothing else to do.`,
    FAILED: payment.mayWithdraw
      ? t`Nothing was charged. The patient can try again with another card, until you cancel the request.`
      : t`Nothing was charged.`,
    UNKNOWN: t`The payment provider did not say whether it was charged. See the to-do list under Transactions.`,
  };
  const text = texts[payment.state];
  return text === undefined ? <InAthena payment={payment} /> : <p className={css.note}>{text}</p>;
}

/** What is wrong with the payment in the practice software, and what to do about it. */
function InAthena({ payment }: { payment: Payment }) {
  const { t } = useLingui();
  const language = useLanguage();
  const { recording } = useChangePayment(payment.chargeId);
  const { error, data } = recording;
  const problem = useRecordingProblem(payment.recordingProblem);
  if (payment.recording === 'missing')
    return (
      <Banner tone="amber">
        <span>{t`Payment was successfully charged but not recorded in Athena. Please try again.`}</span>{' '}
        <Button size="s" busy={recording.isPending} onClick={() => recording.mutate()}>
          {t`Try again`}
        </Button>
        {problem !== null && <p>{problem}</p>}
        {error && <p role="alert">{errorMessage(error, t`The server could not be reached. Try again.`)}</p>}
        {data?.recording === 'missing' && !recording.isPending && (
          <p role="alert">{t`Athena refused it again. Enter it there by hand, then say so in the to-do list under Transactions.`}</p>
        )}
      </Banner>
    );
  if (payment.recording === 'unknown')
    return (
      <Banner tone="amber">{t`Athena did not say whether it has this payment. See the to-do list under Transactions.`}</Banner>
    );
  if (payment.toCorrect > 0) {
    const amount = formatMoney(payment.toCorrect, language);
    return (
      <Banner tone="amber">
        {t`Athena still has ${amount} that was refunded. Correct it there, then say so in the to-do list under Transactions.`}
      </Banner>
    );
  }
  return null;
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
  const { state, mayWithdraw, mayVoid, amount, refunds } = payment;
  const taken = refunds.filter((refund) => refund.state !== 'FAILED').reduce((sum, refund) => sum + refund.amount, 0);
  const isPaid = state === 'SUCCEEDED';
  return (
    <div className={css.actions}>
      {mayWithdraw && <Button onClick={() => onGive('withdraw')}>{t`Cancel request`}</Button>}
      {isPaid && mayVoid && <Button onClick={() => onGive('void')}>{t`Void`}</Button>}
      {isPaid && taken < amount && <Button onClick={() => onGive('refund')}>{t`Refund`}</Button>}
    </div>
  );
}
