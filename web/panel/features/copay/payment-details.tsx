import { useLingui } from '@lingui/react/macro';
import { useRef, useState } from 'react';
import {
  chargedBefore,
  failedLater,
  madeAtProvider,
  neverCharged,
  type Payment,
  type RefundState,
} from '#contract/copay.ts';
import type { OpenQuestion } from '#contract/transactions.ts';
import { errorMessage } from '#web/kit/error-messages.ts';
import { DayTime, formatMoney, Money } from '#web/kit/format.tsx';
import { useLanguage } from '#web/kit/i18n.ts';
import { PrintIcon } from '#web/icons/print.tsx';
import { Banner } from '#web/panel/ui/banner.tsx';
import { Button } from '#web/panel/ui/button.tsx';
import { Dialog } from '#web/panel/ui/dialog.tsx';
import { LoadError } from '#web/panel/ui/load-error.tsx';
import css from './copay.module.css';
import { useFailureReason } from './failure-reason.ts';
import { GiveBack, type Giving } from './give-back.tsx';
import { Question } from './open-question.tsx';
import { OtherPayments } from './other-payments.tsx';
import { PaymentStatus } from './payment-status.tsx';
import { isCharged, Receipt } from './receipt.tsx';
import { useRecordingProblem } from './recording-problem.ts';
import { useOpenQuestions } from './use-open-questions.ts';
import { useChangePayment, usePayment } from './use-payment.ts';

/** What is known before the payment is loaded. */
export type KnownPayment = Pick<Payment, 'chargeId' | 'amount' | 'state' | 'requested' | 'transferId'>;

interface PaymentDetailsProps {
  known: KnownPayment;
  /** The patient, as the screen behind shows the name. */
  name: string;
  onClose: () => void;
}

/** A payment of a visit, and from there the visit's others. */
export function PaymentDetails({ known, name, onClose }: PaymentDetailsProps) {
  const { t } = useLingui();
  const [other, setOther] = useState<KnownPayment | null>(null);
  const [giving, setGiving] = useState<Giving | null>(null);
  const body = useRef<HTMLDivElement>(null);
  // The button that was pressed is gone: the focus goes to the title, and not out of the dialog.
  const focusTitle = () => body.current?.closest('dialog')?.querySelector('h2')?.focus();
  const shown = other ?? known;
  // A form that is open has buttons of its own.
  const footer = giving === null && <Button onClick={onClose}>{t`Close`}</Button>;
  return (
    <Dialog title={t`Payment: ${name}`} size="s" onClose={onClose} footer={footer || undefined}>
      <div ref={body}>
        <OnePayment
          key={shown.chargeId}
          known={shown}
          name={name}
          giving={giving}
          onGive={setGiving}
          onDone={() => {
            focusTitle();
            setGiving(null);
          }}
          onOther={(chosen) => {
            focusTitle();
            setGiving(null);
            setOther(chosen);
          }}
        />
      </div>
    </Dialog>
  );
}

interface OnePaymentProps extends Omit<PaymentDetailsProps, 'onClose'> {
  /** The form that is open. */
  giving: Giving | null;
  onGive: (giving: Giving) => void;
  /** A form of this payment was closed. */
  onDone: () => void;
  onOther: (payment: KnownPayment) => void;
}

/** The payment's amount, status and transfer ID, its refunds, and what the desk can do with it. */
function OnePayment({ known, name, giving, onGive, onDone, onOther }: OnePaymentProps) {
  const { t } = useLingui();
  const loaded = usePayment(known.chargeId);
  const payment = loaded.data;
  const { amount, state, transferId } = payment ?? known;
  return (
    <div className={css.body}>
      <dl className={css.rows}>
        <div>
          <dt>{t`Amount`}</dt>
          <dd className={css.amount}>
            <Money cents={amount} />
          </dd>
        </div>
        <div>
          <dt>{t`Status`}</dt>
          <dd>
            {/* The lines below tell whether it is only requested. */}
            <PaymentStatus state={state} requested={false} />
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
      {payment && <ToDo payment={payment} name={name} />}
      {payment && payment.refunds.length > 0 && <Refunds payment={payment} />}
      {payment && !giving && <Actions payment={payment} onGive={onGive} />}
      {payment && giving && <GiveBack payment={payment} name={name} giving={giving} onDone={onDone} />}
      {payment && <OtherPayments payments={payment.otherPayments} onOther={onOther} />}
      {payment && isCharged(payment) && <Receipt payment={payment} />}
    </div>
  );
}

function MoreRows({ payment }: { payment: Payment }) {
  const { t } = useLingui();
  const { cardBrand, cardLast4, createdAt, requestedBy, settledAt, state, claims, copay, endedBy, endReason } = payment;
  const failure = useFailureReason(payment);
  // A void says its reason among the refunds.
  const isSaidBelow = payment.refunds.some(({ kind, reason }) => kind === 'void' && reason === endReason);
  return (
    <>
      <div>
        <dt>{t`Requested on`}</dt>
        <dd>
          <DayTime at={createdAt} />
          {requestedBy !== null && ` (${requestedBy})`}
        </dd>
      </div>
      {claims > 0 && (
        <div>
          <dt>{t`Made up of`}</dt>
          <dd>
            {t`Copay`} <Money cents={copay} /> · {t`Past balance`} <Money cents={claims} />
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
            <DayTime at={settledAt} />
          </dd>
        </div>
      )}
      {failure !== null && (
        <div>
          <dt>{t`Reason`}</dt>
          <dd>{failure}</dd>
        </div>
      )}
      {endReason !== null && !isSaidBelow && (
        <div>
          <dt>{t`Reason`}</dt>
          <dd>
            {endReason === chargedBefore ? t`The patient’s earlier payment went through after all.` : endReason}
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
    UNKNOWN: t`The payment provider did not say whether it was charged. Look it up there, then say what you found.`,
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
        <div className={css.missing}>
          <p>{t`Payment was successfully charged but not recorded in Athena. Please try again.`}</p>
          {problem !== null && <p>{problem}</p>}
          <Button size="s" busy={recording.isPending} onClick={() => recording.mutate()}>
            {t`Try again`}
          </Button>
          {error && <p role="alert">{errorMessage(error, t`The server could not be reached. Try again.`)}</p>}
          {data?.recording === 'missing' && !recording.isPending && (
            <p role="alert">{t`Athena refused it again. Enter it there by hand, then say so in the to-do list under Transactions.`}</p>
          )}
        </div>
      </Banner>
    );
  if (payment.recording === 'unknown')
    return (
      <Banner tone="amber">{t`Athena did not say whether it has this payment. Look it up there, then say what you found.`}</Banner>
    );
  if (payment.toCorrect > 0) {
    const amount = formatMoney(payment.toCorrect, language);
    return (
      <Banner tone="amber">
        {t`Athena still has ${amount} that was refunded. Correct it there, then say so here.`}
      </Banner>
    );
  }
  return null;
}

/** What is on the to-do list about this payment. */
function ToDo({ payment, name }: { payment: Payment; name: string }) {
  const { t } = useLingui();
  const { chargeId, state, recording, toCorrect, refunds, chargedTwice, hasNotice } = payment;
  const isOpen =
    state === 'UNKNOWN' ||
    chargedTwice ||
    hasNotice ||
    // One part may be refused while the other is unknown.
    recording === 'unknown' ||
    recording === 'missing' ||
    toCorrect > 0 ||
    refunds.some((refund) => refund.state === 'UNKNOWN' || refund.contradicted);
  const { data } = useOpenQuestions(isOpen);
  const isAbout = (question: OpenQuestion) =>
    question.chargeId === chargeId || question.charges.some((charge) => charge.chargeId === chargeId);
  const questions = isOpen ? (data?.questions.filter(isAbout) ?? []) : [];
  if (questions.length === 0) return null;
  return (
    <ul className={css.toDo} aria-label={t`To do`}>
      {questions.map((question) => (
        <li key={question.id}>
          <Question question={question} name={name} />
        </li>
      ))}
    </ul>
  );
}

function Refunds({ payment: { refunds } }: { payment: Payment }) {
  const { t } = useLingui();
  const states: Record<RefundState, string> = {
    PENDING: t`under way`,
    SUCCEEDED: t`done`,
    FAILED: t`failed`,
    UNKNOWN: t`outcome unknown`,
  };
  const reasons: Record<string, string> = {
    [neverCharged]: t`The payment provider never charged it.`,
    [failedLater]: t`The bank took the payment back.`,
    [madeAtProvider]: t`Made in the payment provider’s dashboard.`,
  };
  return (
    <ul className={css.refunds} aria-label={t`Refunds`}>
      {refunds.map(({ id, kind, amount, reason, state, by }) => (
        <li key={id}>
          {kind === 'void' ? t`Voided` : t`Refund of`} <Money cents={amount} /> · {states[state]} ·{' '}
          {reasons[reason] ?? reason}
          {by !== null && ` (${by})`}
        </li>
      ))}
    </ul>
  );
}

function Actions({ payment, onGive }: { payment: Payment; onGive: (giving: Giving) => void }) {
  const { t } = useLingui();
  const { state, mayWithdraw, mayVoid, amount, refunds } = payment;
  const refundedCents = refunds
    .filter((refund) => refund.state !== 'FAILED')
    .reduce((sum, refund) => sum + refund.amount, 0);
  const isPaid = state === 'SUCCEEDED';
  return (
    <div className={css.actions}>
      {mayWithdraw && <Button onClick={() => onGive('withdraw')}>{t`Cancel request`}</Button>}
      {isPaid && mayVoid && <Button onClick={() => onGive('void')}>{t`Void`}</Button>}
      {isPaid && refundedCents < amount && <Button onClick={() => onGive('refund')}>{t`Refund`}</Button>}
      {isCharged(payment) && (
        <Button icon={PrintIcon} onClick={() => window.print()}>
          {t`Print receipt`}
        </Button>
      )}
    </div>
  );
}
