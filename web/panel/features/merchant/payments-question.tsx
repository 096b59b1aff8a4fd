import { useLingui } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { beginMerchantForm, skipPayments } from '#contract/merchant.ts';
import { call } from '#web/kit/call.ts';
import { sessionQuery } from '#web/kit/session.ts';
import { useTitle } from '#web/kit/title.ts';
import { Button } from '#web/panel/ui/button.tsx';
import { CardIcon } from '#web/icons/card.tsx';
import { StepCard, StepLead } from '#web/panel/ui/step-card.tsx';
import { ErrorText } from '#web/panel/ui/trouble.tsx';
import css from './merchant.module.css';

/** A question for practices that use AthenaOne, once, after the agreement. Yes leads to the application, no to the dashboards. */
export function PaymentsQuestion() {
  const { t } = useLingui();
  const cache = useQueryClient();
  const navigate = useNavigate();
  useTitle(t`Payments Feature`);

  const yes = useMutation({
    mutationFn: () => call(beginMerchantForm),
    // First to the application: once the session is fetched again, the gate leads away from here.
    onSuccess: async () => {
      await navigate({ to: '/apply' });
      await cache.invalidateQueries({ queryKey: sessionQuery.queryKey });
    },
  });
  const skip = useMutation({
    mutationFn: () => call(skipPayments),
    onSuccess: () => cache.invalidateQueries({ queryKey: sessionQuery.queryKey }),
  });
  const busy = yes.isPending || skip.isPending;
  const press = (answer: typeof yes | typeof skip) => () => {
    if (!busy) answer.mutate();
  };

  return (
    <StepCard icon={CardIcon} title={t`Do you want to enable payments for your patients?`}>
      <StepLead>{t`Patients pay their copay on their phone while they wait, and you see it beside their name.`}</StepLead>
      <ErrorText error={yes.error ?? skip.error} />
      <div className={css.answers}>
        <Button variant="filled" size="l" block busy={yes.isPending} locked={skip.isPending} onClick={press(yes)}>
          {t`Yes I Want`}
        </Button>
        <Button size="l" block busy={skip.isPending} locked={yes.isPending} onClick={press(skip)}>
          {t`Skip Payment feature`}
        </Button>
      </div>
    </StepCard>
  );
}
