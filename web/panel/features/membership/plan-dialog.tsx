import { plural } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import {
  mayMove,
  mostProviders,
  plans,
  startsTrial,
  subscriptionState,
  type PlanPreview,
} from '#contract/membership.ts';
import { formatMoney, Money } from '#web/kit/format.tsx';
import { useLanguage } from '#web/kit/i18n.ts';
import { Button } from '#web/panel/ui/button.tsx';
import { Dialog } from '#web/panel/ui/dialog.tsx';
import { TextInput } from '#web/panel/ui/field.tsx';
import { Skeleton } from '#web/panel/ui/skeleton.tsx';
import { ErrorText } from '#web/panel/ui/trouble.tsx';
import { LongDate } from './long-date.tsx';
import css from './membership.module.css';
import { planFeatures, planNames } from './plan-names.ts';
import { useChoosePlan, usePreview, type MembershipData, type PlanOffer } from './use-membership.ts';

interface PlanDialogProps {
  offer: PlanOffer;
  membership: MembershipData;
  onClose: () => void;
}

/** The typed number of providers, and what the plan would cost with it. */
function useOrder(offer: PlanOffer, { customer, subscription }: MembershipData) {
  const [typed, setTyped] = useState(String(subscription.next_plan?.quantity ?? subscription.plan?.quantity ?? 1));
  const providers = /^\d{1,3}$/.test(typed.trim()) ? Number(typed) : 0;
  const isValid = providers >= 1 && providers <= mostProviders;
  const preview = usePreview(customer, offer.priceId, isValid ? providers : 0);
  const data = isValid ? preview.data : undefined;
  const needsCard = data !== undefined && data.dueToday > 0 && subscription.default_payment_method === null;
  return { typed, setTyped, providers, isValid, preview, data, needsCard };
}

/** What a plan costs today and from when on, before it is chosen. */
export function PlanDialog({ offer, membership, onClose }: PlanDialogProps) {
  const { t } = useLingui();
  const { customer, subscription } = membership;
  const state = subscriptionState(subscription);
  const resumes = state === 'ending' || state === 'paused';
  const { typed, setTyped, providers, isValid, preview, data, needsCard } = useOrder(offer, membership);
  const choose = useChoosePlan(customer);
  const move = data?.move ?? null;
  const confirm = () => choose.mutate({ price: offer.priceId, providers }, { onSuccess: onClose });
  const title = useTitle(offer, membership);
  const dueToday = formatMoney(data?.dueToday ?? 0, useLanguage());
  const { number: card } = membership.payment;
  const isSamePlan = subscription.plan?.name === offer.plan;
  const change = isSamePlan
    ? t`${plural(providers, { one: 'Change to # provider', other: 'Change to # providers' })}`
    : t`Switch`;
  const labels = {
    start: t`Start Plan`,
    upgrade: change,
    downgrade: change,
    keep: t`Keep this plan`,
    reactivate: t`Re-Activate Plan`,
  };
  const footer = (
    <>
      <Button onClick={onClose}>{t`Cancel`}</Button>
      <Button variant="filled" busy={choose.isPending} locked={move === null || needsCard} onClick={confirm}>
        {data && data.dueToday > 0 && card !== null
          ? t`Pay ${dueToday} with ${card}`
          : labels[move ?? (resumes ? 'reactivate' : 'upgrade')]}
      </Button>
    </>
  );
  return (
    <Dialog title={title} onClose={onClose} size="s" footer={footer}>
      <div className={css.dialog}>
        {!resumes && (
          <TextInput
            label={t`Number of providers`}
            inputMode="numeric"
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
            error={isValid ? undefined : t`Enter a number from 1 to ${mostProviders}`}
          />
        )}
        <div aria-live="polite" className={css.dialog}>
          {data && <Preview preview={data} lost={lostFeatures(offer, membership)} hasCard={card !== null} />}
          {!data && isValid && preview.isPending && <Skeleton height={48} />}
          {needsCard && <p>{t`Add a payment method first.`}</p>}
        </div>
        <ErrorText error={choose.error ?? preview.error} />
      </div>
    </Dialog>
  );
}

/** What the dialog is about: another plan, or another number of providers. */
function useTitle({ plan }: PlanOffer, { subscription }: MembershipData): string {
  const { t } = useLingui();
  const state = subscriptionState(subscription);
  const name = t(planNames[plan]);
  const current = subscription.plan?.name;
  if (state === 'ending' || state === 'paused') return t`Re-activate ${name}`;
  if (!current || mayMove(state, 'start')) return t`Start ${name}`;
  if (current === plan) return t`${name}: change number of providers`;
  const currentName = t(planNames[current]);
  return t`Switch from ${currentName} to ${name}`;
}

/** What the current plan has and the smaller one does not. */
function lostFeatures({ plan }: PlanOffer, { subscription }: MembershipData) {
  const current = subscription.plan?.name;
  if (!current) return [];
  return plans
    .slice(plans.indexOf(plan) + 1, plans.indexOf(current) + 1)
    .flatMap((name) => planFeatures[name].features);
}

interface PreviewProps {
  preview: PlanPreview;
  lost: ReturnType<typeof lostFeatures>;
  hasCard: boolean;
}

function Preview({ preview, lost, hasCard }: PreviewProps) {
  const { t } = useLingui();
  const { move, dueToday, credit, charge, monthly, takesEffect, nextBilling } = preview;
  const next = <LongDate at={nextBilling} />;
  const amount = <Money cents={monthly} />;
  if (move === null) return <p>{t`This is what you have now. Nothing changes.`}</p>;
  return (
    <>
      <dl className={css.costs}>
        {credit < 0 && (
          <>
            <dt>{t`Credit for the rest of your current plan`}</dt>
            <dd>
              <Money cents={credit} />
            </dd>
            <dt>{t`The rest of this period on the new plan`}</dt>
            <dd>
              <Money cents={charge} />
            </dd>
          </>
        )}
        <dt className={css.due}>{t`Due today`}</dt>
        <dd className={css.due}>
          <Money cents={dueToday} />
        </dd>
      </dl>
      {move === 'downgrade' && lost.length > 0 && (
        <div>
          <p>{t`The new plan does not include:`}</p>
          <ul className={css.lost}>
            {lost.map((feature) => (
              <li key={feature.id}>{t(feature)}</li>
            ))}
          </ul>
        </div>
      )}
      {move === 'downgrade' && takesEffect === nextBilling && (
        <p>
          <Trans>You keep your current features until {next}.</Trans>
        </p>
      )}
      {startsTrial(preview) ? (
        <p>
          <Trans>
            Free trial until {next}, then {amount} a month.
          </Trans>
          {!hasCard && <> {t`Without a card your plan pauses that day.`}</>}
        </p>
      ) : (
        <p>
          <Trans>
            From {next}: {amount} a month
          </Trans>
        </p>
      )}
    </>
  );
}
