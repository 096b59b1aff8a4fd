import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { mostProviders, subscriptionState, type PlanPreview } from '#contract/membership.ts';
import { Money } from '#web/kit/format.tsx';
import { Button } from '#web/panel/ui/button.tsx';
import { Dialog } from '#web/panel/ui/dialog.tsx';
import { TextInput } from '#web/panel/ui/field.tsx';
import { Skeleton } from '#web/panel/ui/skeleton.tsx';
import { ErrorText } from '#web/panel/ui/trouble.tsx';
import { LongDate } from './long-date.tsx';
import css from './membership.module.css';
import { planNames } from './plan-names.ts';
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
  const name = t(planNames[offer.plan]);
  const move = data?.move ?? null;
  const confirm = () => choose.mutate({ price: offer.priceId, providers }, { onSuccess: onClose });
  const labels = {
    start: t`Start Plan`,
    upgrade: t`Switch`,
    downgrade: t`Switch`,
    keep: t`Keep this plan`,
    reactivate: t`Re-Activate Plan`,
  };
  const footer = (
    <>
      <Button onClick={onClose}>{t`Cancel`}</Button>
      <Button variant="filled" busy={choose.isPending} locked={move === null || needsCard} onClick={confirm}>
        {labels[move ?? (resumes ? 'reactivate' : 'upgrade')]}
      </Button>
    </>
  );
  return (
    <Dialog title={resumes ? t`Re-activate ${name}` : name} onClose={onClose} size="s" footer={footer}>
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
          {data && <Preview preview={data} />}
          {!data && isValid && preview.isPending && <Skeleton height={48} />}
          {needsCard && <p>{t`Add a payment method first. You find it below the plans.`}</p>}
        </div>
        <ErrorText error={choose.error ?? preview.error} />
      </div>
    </Dialog>
  );
}

function Preview({ preview }: { preview: PlanPreview }) {
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
      {move === 'downgrade' && takesEffect === nextBilling && (
        <p>
          <Trans>You keep your current features until {next}.</Trans>
        </p>
      )}
      <p>
        <Trans>
          From {next}: {amount} a month
        </Trans>
      </p>
    </>
  );
}
