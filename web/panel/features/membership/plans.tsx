import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { mayMove, plans, subscriptionState, type Plan } from '#contract/membership.ts';
import { LongDate } from './long-date.tsx';
import { Button } from '#web/panel/ui/button.tsx';
import { Card } from '#web/panel/ui/card.tsx';
import { ConfirmDialog } from '#web/panel/ui/dialog.tsx';
import { EmptyState } from '#web/panel/ui/empty-state.tsx';
import { ErrorText } from '#web/panel/ui/trouble.tsx';
import { CardIcon } from '#web/icons/card.tsx';
import css from './membership.module.css';
import { PlanDialog } from './plan-dialog.tsx';
import { PlanTile } from './plan-tile.tsx';
import { planNames } from './plan-names.ts';
import { StatusOfPlan } from './plan-status.tsx';
import { useCancelPlan, type MembershipData, type PlanOffer } from './use-membership.ts';

/** The three plans, the current one marked, and what can be done with each. */
export function Plans({ membership }: { membership: MembershipData }) {
  const { t } = useLingui();
  const { subscription, cents, priceIds } = membership;
  const [chosen, setChosen] = useState<PlanOffer | null>(null);
  const [isCanceling, setCanceling] = useState(false);
  const offers = plans.flatMap((plan: Plan): PlanOffer[] => {
    const [priceId, price] = [priceIds[plan], cents[plan]];
    return priceId === null || price === null ? [] : [{ plan, priceId, cents: price }];
  });
  const current = offers.find(({ plan }) => plan === subscription.plan?.name);
  const state = subscriptionState(subscription);
  return (
    <Card title={t`Membership Plans`}>
      <p className={css.lead}>{t`All prices are per provider`}</p>
      <StatusOfPlan subscription={subscription} hasCard={membership.payment.number !== null} />
      {subscription.plan && state !== 'canceled' && state !== 'incomplete_expired' && (
        <div className={css.facts}>
          <span>
            <Plural value={subscription.plan.quantity} one="# provider" other="# providers" />
          </span>
          {current && mayMove(state, 'upgrade') && (
            <Button size="s" onClick={() => setChosen(current)}>
              {t`Change number of providers`}
            </Button>
          )}
        </div>
      )}
      {offers.length === 0 ? (
        <NoPlans />
      ) : (
        <ul className={css.tiles}>
          {offers.map((offer) => (
            <PlanTile
              key={offer.plan}
              offer={offer}
              subscription={subscription}
              onChoose={() => setChosen(offer)}
              onCancel={() => setCanceling(true)}
            />
          ))}
        </ul>
      )}
      {chosen && <PlanDialog offer={chosen} membership={membership} onClose={() => setChosen(null)} />}
      {isCanceling && <CancelDialog membership={membership} onClose={() => setCanceling(false)} />}
    </Card>
  );
}

function NoPlans() {
  const { t } = useLingui();
  return (
    <EmptyState icon={CardIcon} title={t`No plans yet`}>
      {t`Your prices are not set yet. Please contact support.`}
    </EmptyState>
  );
}

/** In production without a card provider. */
export function NotConnected() {
  const { t } = useLingui();
  return (
    <EmptyState icon={CardIcon} title={t`Cards are not connected`}>
      {t`There are no plans here, and nothing is charged. You don’t need one to work.`}
    </EmptyState>
  );
}

function CancelDialog({ membership, onClose }: { membership: MembershipData; onClose: () => void }) {
  const { t } = useLingui();
  const { subscription, customer } = membership;
  const cancel = useCancelPlan(customer);
  const plan = subscription.plan?.name ? t(planNames[subscription.plan.name]) : t`your plan`;
  const { status, current_period_end: end } = subscription;
  const runsOn = status === 'trialing' || status === 'active' || status === 'past_due';
  return (
    <ConfirmDialog
      title={t`Cancel ${plan}?`}
      confirm={t`Cancel Plan`}
      keep={t`Keep ${plan}`}
      danger
      busy={cancel.isPending}
      onConfirm={() => cancel.mutate(subscription.id ?? '', { onSuccess: onClose })}
      onClose={onClose}
    >
      {runsOn && end !== null ? (
        <p>
          <Trans>
            Your plan keeps its features until <LongDate seconds={end} />. You won’t be charged again.
          </Trans>
        </p>
      ) : (
        <p>{t`Your plan ends now. You won’t be charged again.`}</p>
      )}
      <ErrorText error={cancel.error} />
    </ConfirmDialog>
  );
}
