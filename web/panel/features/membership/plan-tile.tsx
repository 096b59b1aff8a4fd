import { Trans, useLingui } from '@lingui/react/macro';
import { currentPlanOf, mayMove, moveToPlan, subscriptionState, type Subscription } from '#contract/membership.ts';
import { CheckIcon } from '#web/icons/check.tsx';
import { CheckCircleIcon } from '#web/icons/check-circle.tsx';
import { formatPlanPrice } from '#contract/plan-price.ts';
import { locales, useLanguage } from '#web/kit/i18n.ts';
import { Button } from '#web/panel/ui/button.tsx';
import { classNames } from '#web/panel/ui/class-names.ts';
import { StatusBadge } from '#web/panel/ui/status-badge.tsx';
import css from './membership.module.css';
import { planFeatures, planNames } from './plan-names.ts';
import type { PlanOffer } from './use-membership.ts';

interface PlanTileProps {
  offer: PlanOffer;
  subscription: Subscription;
  onChoose: () => void;
  onCancel: () => void;
}

/** One plan: what it includes, its price, and its buttons. */
export function PlanTile({ offer, subscription, onChoose, onCancel }: PlanTileProps) {
  const { t } = useLingui();
  const language = useLanguage();
  const { plan, cents } = offer;
  const { includes, features } = planFeatures[plan];
  const name = t(planNames[plan]);
  const state = subscriptionState(subscription);
  const runs = !mayMove(state, 'start');
  const isCurrent = runs && subscription.plan?.name === plan;
  // The price of a plan that runs changes only when somebody chooses the new one.
  const amount = isCurrent ? (subscription.plan?.amount ?? cents) : cents;
  const price = formatPlanPrice(amount, locales[language]);
  const newPrice = formatPlanPrice(cents, locales[language]);
  return (
    <li className={classNames(css.tile, isCurrent && css.current)} aria-current={isCurrent || undefined}>
      <div className={css.tileTop}>
        <h3>{name}</h3>
        {isCurrent && (
          <StatusBadge tone="green" icon={CheckCircleIcon}>
            {t`Current plan`}
          </StatusBadge>
        )}
      </div>
      <p>
        <Trans>
          <strong className={css.price}>{price}</strong> per month
        </Trans>
      </p>
      {amount !== cents && <p className={css.lead}>{t`New price: ${newPrice} per month`}</p>}
      {includes && <p className={css.lead}>{t(includes)}</p>}
      <ul className={css.features}>
        {features.map((feature) => (
          <li key={feature.id}>
            <CheckIcon size={16} />
            <span>{t(feature)}</span>
          </li>
        ))}
      </ul>
      <TileButtons name={name} {...{ offer, subscription, isCurrent, onChoose, onCancel }} />
    </li>
  );
}

function TileButtons({
  offer: { plan, priceId },
  name,
  subscription,
  isCurrent,
  onChoose,
  onCancel,
}: PlanTileProps & { name: string; isCurrent: boolean }) {
  const { t } = useLingui();
  const state = subscriptionState(subscription);
  const { plan: current, next_plan: next } = subscription;
  const providers = (isCurrent ? current?.quantity : (next?.quantity ?? current?.quantity)) ?? 1;
  const move = moveToPlan(currentPlanOf(subscription), { plan, providers, price: priceId });
  const labels = {
    start: t`Start Plan`,
    upgrade: t`Switch`,
    downgrade: t`Switch`,
    keep: t`Keep this plan`,
    reactivate: t`Re-Activate Plan`,
    cancel: t`Cancel Plan`,
  };
  const isNext = next?.name === plan;
  // Of the current plan, fewer providers or another price may come next.
  const isChosen = isNext && (!isCurrent || (next.price === priceId && next.quantity === providers));
  const mayChoose = move !== null && mayMove(state, move) && !isChosen;
  return (
    <div className={css.tileButtons}>
      {mayChoose && (
        <Button variant="filled" onClick={onChoose} aria-label={`${labels[move]}: ${name}`}>
          {labels[move]}
        </Button>
      )}
      {isCurrent && mayMove(state, 'cancel') && (
        <Button onClick={onCancel} aria-label={`${labels.cancel}: ${name}`}>
          {labels.cancel}
        </Button>
      )}
      {isNext && !isCurrent && <p className={css.lead}>{t`Your next plan`}</p>}
    </div>
  );
}
