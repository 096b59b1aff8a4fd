import { useLingui } from '@lingui/react/macro';
import type { Payment } from '#contract/copay.ts';

/** Why a payment failed, as a sentence; null unless it did. A code of the provider that has no sentence here stays as it is. */
export function useFailureReason({ state, failure }: Pick<Payment, 'state' | 'failure'>): string | null {
  const { t } = useLingui();
  if (state !== 'FAILED' || failure === null) return null;
  const declined = t`The card was declined.`;
  const notTaken = t`The payment provider did not take the payment.`;
  const sentences: Record<string, string> = {
    declined,
    DECLINED: declined,
    CARD_DECLINED: declined,
    GENERIC_DECLINE: declined,
    FAILED: notTaken,
    // Whoever shows the card should not learn this at the desk.
    LOST_OR_STOLEN_CARD: declined,
    INSUFFICIENT_FUNDS: t`There was not enough money on the card.`,
    EXPIRED_CARD: t`The card has expired.`,
    CARD_ACCOUNT_CLOSED: t`The card's account is closed.`,
    CARD_NOT_SUPPORTED: t`This card cannot be used for such a payment.`,
    CALL_ISSUER: t`The card's bank declined it and did not say why. The patient can ask the bank.`,
    'unknown card': t`The card's details did not reach the payment provider.`,
    unreachable: t`The payment provider could not be reached.`,
    'not-sent': t`The payment did not reach the payment provider.`,
  };
  if (failure.startsWith('STATUS_')) return notTaken;
  return sentences[failure] ?? t`The payment provider says: ${failure}`;
}
