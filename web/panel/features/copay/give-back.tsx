import { useLingui } from '@lingui/react/macro';
import { useState, type SubmitEvent } from 'react';
import type { Payment } from '#contract/copay.ts';
import { errorMessage } from '#web/kit/error-messages.ts';
import { formatMoney } from '#web/kit/format.tsx';
import { useLanguage } from '#web/kit/i18n.ts';
import { newUuid } from '#web/kit/retry-until-answered.ts';
import { Banner } from '#web/panel/ui/banner.tsx';
import { Button } from '#web/panel/ui/button.tsx';
import { TextInput } from '#web/panel/ui/field.tsx';
import { focusFirstWrong } from '#web/panel/ui/focus-first-wrong.ts';
import css from './copay.module.css';
import { parseDollars, toDollars } from './dollars.ts';
import { useChangePayment } from './use-payment.ts';

/** `withdraw`: a payment that nobody has paid; `void`: the whole payment; `refund`: all or part of it. */
export type Giving = 'withdraw' | 'void' | 'refund';

const shortestReason = 3;

interface GiveBackProps {
  payment: Payment;
  /** The patient, as the dialog names them. */
  name: string;
  giving: Giving;
  onDone: () => void;
}

/** Asks for the reason, and for the amount of a refund. */
export function GiveBack({ payment, name, giving, onDone }: GiveBackProps) {
  const { t } = useLingui();
  const language = useLanguage();
  const { refund, voiding } = useChangePayment(payment.chargeId);
  const action = giving === 'refund' ? refund : voiding;
  const refundedCents = payment.refunds
    .filter(({ state }) => state !== 'FAILED')
    .reduce((sum, { amount }) => sum + amount, 0);
  const left = payment.amount - refundedCents;
  // One form is one refund, however often it is sent.
  const [id] = useState(newUuid);
  const [amount, setAmount] = useState(toDollars(left));
  const [reason, setReason] = useState('');
  const [tried, setTried] = useState(false);

  const cents = parseDollars(amount);
  const most = formatMoney(left, language);
  const wrongAmount =
    giving === 'refund' && (cents === null || cents < 1 || cents > left) ? t`Enter at most ${most}.` : undefined;
  const wrongReason = reason.trim().length < shortestReason ? t`Enter the reason.` : undefined;
  const money = formatMoney(giving === 'refund' ? (cents ?? 0) : payment.amount, language);
  const labels = { withdraw: t`Cancel request`, void: t`Void payment`, refund: t`Refund ${money}` };
  const effects = {
    withdraw: t`${name} can no longer pay this request.`,
    void: t`${name} gets ${money} back, and the payment counts as canceled.`,
    refund: t`${name} gets ${money} back on the card.`,
  };

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    setTried(true);
    if (action.isPending) return;
    if (wrongAmount !== undefined || wrongReason !== undefined) return focusFirstWrong(event.currentTarget);
    if (giving === 'refund') refund.mutate({ id, amount: cents ?? 0, reason: reason.trim() }, { onSuccess: onDone });
    else voiding.mutate({ move: giving, reason: reason.trim() }, { onSuccess: onDone });
  };
  return (
    <form className={css.form} aria-label={labels[giving]} noValidate onSubmit={submit}>
      {giving === 'refund' && (
        <TextInput
          label={t`Amount, in dollars`}
          inputMode="decimal"
          autoComplete="off"
          value={amount}
          error={tried ? wrongAmount : undefined}
          onChange={(event) => setAmount(event.target.value)}
        />
      )}
      <TextInput
        label={t`Reason`}
        autoComplete="off"
        maxLength={300}
        autoFocus
        value={reason}
        error={tried ? wrongReason : undefined}
        onChange={(event) => setReason(event.target.value)}
      />
      <p className={css.note}>{effects[giving]}</p>
      {giving !== 'withdraw' && payment.recording === 'recorded' && (
        <p
          className={css.note}
        >{t`Athena has this payment. Correct it there afterwards: nothing is taken out of it automatically.`}</p>
      )}
      {action.error && (
        <Banner tone="red">{errorMessage(action.error, t`The server could not be reached. Try again.`)}</Banner>
      )}
      <div className={css.actions}>
        <Button onClick={onDone}>{t`Back`}</Button>
        <Button type="submit" variant="danger" busy={action.isPending}>
          {labels[giving]}
        </Button>
      </div>
    </form>
  );
}
