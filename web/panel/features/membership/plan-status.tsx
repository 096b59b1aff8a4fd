import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { subscriptionState, type Subscription } from '#contract/membership.ts';
import { AlertCircleIcon } from '#web/icons/alert-circle.tsx';
import { CheckCircleIcon } from '#web/icons/check-circle.tsx';
import { ClockIcon } from '#web/icons/clock.tsx';
import { StatusBadge } from '#web/panel/ui/status-badge.tsx';
import { Money } from '#web/kit/format.tsx';
import { LongDate } from './long-date.tsx';
import css from './membership.module.css';
import { planNames } from './plan-names.ts';

/** Where the membership stands, in a badge and a sentence. */
export function StatusOfPlan({ subscription, hasCard }: { subscription: Subscription; hasCard: boolean }) {
  const { t } = useLingui();
  const { current_period_end: end, plan, next_plan: next } = subscription;
  const date = <LongDate seconds={end ?? 0} />;
  const billed = next ?? plan;
  const amount = <Money cents={billed ? billed.amount * billed.quantity : 0} />;
  const nextName = next?.name ? t(planNames[next.name]) : '';
  switch (subscriptionState(subscription)) {
    case 'none':
      return <p>{t`You have no plan yet.`}</p>;
    case 'trialing':
      if (!hasCard)
        return (
          <p className={css.facts}>
            <StatusBadge tone="amber" icon={AlertCircleIcon}>
              {t`Trial`}
            </StatusBadge>
            <span>
              <Trans>
                Your trial ends {date}. Add a card to keep your plan ({amount} that day).
              </Trans>
            </span>
          </p>
        );
      return (
        <p className={css.facts}>
          <StatusBadge tone="blue" icon={ClockIcon}>
            {t`Trial`}
          </StatusBadge>
          <span>
            <Trans>Free until {date}, your next billing date</Trans> · {amount}
          </span>
        </p>
      );
    case 'active':
      return (
        <p className={css.facts}>
          <StatusBadge tone="green" icon={CheckCircleIcon}>
            {t`Active`}
          </StatusBadge>
          <span>
            <Trans>Next billing date: {date}</Trans> · {amount}
          </span>
          {next && (
            <span>
              {next.name === plan?.name && next.quantity !== plan?.quantity ? (
                <Trans>
                  Changes to <Plural value={next.quantity} one="# provider" other="# providers" /> on {date}
                </Trans>
              ) : (
                <Trans>
                  Changes to {nextName} on {date}
                </Trans>
              )}
            </span>
          )}
        </p>
      );
    case 'ending':
      return (
        <p className={css.facts}>
          <StatusBadge tone="amber" icon={ClockIcon}>
            {t`Canceled`}
          </StatusBadge>
          <span>
            <Trans>
              Your plan ends on <LongDate seconds={subscription.cancel_at ?? end ?? 0} />
            </Trans>
          </span>
        </p>
      );
    case 'paused':
      return (
        <Trouble
          label={t`Paused`}
          text={t`Your trial ended without a payment method. Add one, then re-activate your plan.`}
        />
      );
    case 'canceled':
    case 'incomplete_expired':
      return <p>{t`Your plan has ended. Start a new one to continue.`}</p>;
    default:
      // The card's own form says what to do about it.
      return <Trouble label={t`Payment declined`} />;
  }
}

function Trouble({ label, text }: { label: string; text?: string }) {
  return (
    <p className={css.facts}>
      <StatusBadge tone="red" icon={AlertCircleIcon}>
        {label}
      </StatusBadge>
      {text}
    </p>
  );
}
