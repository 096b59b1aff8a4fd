import { useLingui } from '@lingui/react/macro';
import { useState, type SubmitEvent } from 'react';
import { leastCents, mostCents } from '#contract/copay.ts';
import type { QueueEntry } from '#contract/queue.ts';
import { errorMessage } from '#web/kit/error-messages.ts';
import { formatMoney } from '#web/kit/format.tsx';
import { useLanguage } from '#web/kit/i18n.ts';
import { newUuid } from '#web/kit/retry-until-answered.ts';
import { Banner } from '#web/panel/ui/banner.tsx';
import { Button } from '#web/panel/ui/button.tsx';
import { Dialog } from '#web/panel/ui/dialog.tsx';
import { TextInput } from '#web/panel/ui/field.tsx';
import { focusFirstWrong } from '#web/panel/ui/focus-first-wrong.ts';
import css from './copay.module.css';
import { parseDollars, toDollars } from './dollars.ts';
import { useRequestPayment, type RequestText } from './use-payment.ts';

interface RequestPaymentProps {
  visit: QueueEntry;
  /** The patient, as the queue shows the name. */
  name: string;
  /** The practice's usual copay in cents; null without one. */
  usualCents: number | null;
  onTexted: (text: RequestText, cents: number) => void;
  onClose: () => void;
}

/** Asks for the amount that the patient pays on the page of the visit. */
export function RequestPayment({ visit, name, usualCents, onTexted, onClose }: RequestPaymentProps) {
  const { t } = useLingui();
  const language = useLanguage();
  const [copay, setCopay] = useState(usualCents === null ? '' : toDollars(usualCents));
  const [claims, setClaims] = useState('');
  const [tried, setTried] = useState(false);
  const [form] = useState(newUuid);
  const request = useRequestPayment(visit.id, form, onTexted);
  const [least, most] = [formatMoney(leastCents, language), formatMoney(mostCents, language)];

  const copayCents = copay.trim() === '' ? 0 : parseDollars(copay);
  const claimsCents = claims.trim() === '' ? 0 : parseDollars(claims);
  const total = (copayCents ?? 0) + (claimsCents ?? 0);
  const outOfRange = total < leastCents || total > mostCents;
  const money = formatMoney(total, language);
  const range = t`Enter an amount from ${least} to ${most}.`;
  const wrongCopay = copayCents === null || (outOfRange && claimsCents !== null) ? range : undefined;
  const wrongClaims = claimsCents === null ? range : undefined;

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    setTried(true);
    if (request.isPending) return;
    if (copayCents === null || claimsCents === null || outOfRange) return focusFirstWrong(event.currentTarget);
    request.mutate({ copay: copayCents, claims: claimsCents }, { onSuccess: onClose });
  };
  const footer = (
    <>
      <Button onClick={onClose}>{t`Cancel`}</Button>
      <Button type="submit" form="request-payment" variant="filled" busy={request.isPending}>
        {outOfRange || copayCents === null || claimsCents === null ? t`Request payment` : t`Request ${money}`}
      </Button>
    </>
  );
  return (
    <Dialog title={t`Request payment: ${name}`} size="s" onClose={onClose} footer={footer}>
      <form id="request-payment" className={css.form} noValidate onSubmit={submit}>
        <p className={css.note}>{t`We text the patient a link to pay by card.`}</p>
        <TextInput
          label={t`Copay, in dollars`}
          inputMode="decimal"
          autoComplete="off"
          value={copay}
          error={tried ? wrongCopay : undefined}
          onChange={(event) => setCopay(event.target.value)}
        />
        <TextInput
          label={t`Past balance, in dollars`}
          hint={t`Leave it empty if there isn’t one.`}
          inputMode="decimal"
          autoComplete="off"
          value={claims}
          error={tried ? wrongClaims : undefined}
          onChange={(event) => setClaims(event.target.value)}
        />
        {request.error && (
          <Banner tone="red">{errorMessage(request.error, t`The server could not be reached. Try again.`)}</Banner>
        )}
      </form>
    </Dialog>
  );
}
