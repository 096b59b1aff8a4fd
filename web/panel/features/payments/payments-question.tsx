import { useLingui } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { openMerchantForms, skipPayments } from '#contract/payments.ts';
import { call } from '#web/kit/call.ts';
import { sessionQuery } from '#web/kit/session.ts';
import { useTitle } from '#web/kit/title.ts';
import { Button } from '#web/panel/ui/button.tsx';
import { CardIcon } from '#web/icons/card.tsx';
import { CheckCircleIcon } from '#web/icons/check-circle.tsx';
import { StepCard, StepLead } from '#web/panel/ui/step-card.tsx';
import { ErrorText } from '#web/panel/ui/trouble.tsx';
import css from './payments-question.module.css';

/** A question for practices that use AthenaOne, once, after the agreement. Either answer opens the dashboards. */
export function PaymentsQuestion() {
  const { t } = useLingui();
  const cache = useQueryClient();
  const [noted, setNoted] = useState(false);
  useTitle(t`Payments Feature`);

  const goOn = () => cache.invalidateQueries({ queryKey: sessionQuery.queryKey });
  const yes = useMutation({
    mutationFn: () => call(openMerchantForms),
    onSuccess: ({ onboarding_link: link }) => {
      if (link) location.assign(link.link_url);
      else setNoted(true);
    },
  });
  const skip = useMutation({ mutationFn: () => call(skipPayments), onSuccess: goOn });
  const busy = yes.isPending || skip.isPending;
  const press = (answer: typeof yes | typeof skip) => () => {
    if (!busy) answer.mutate();
  };

  if (noted) return <Noted onGoOn={goOn} />;
  return (
    <StepCard icon={CardIcon} title={t`Payments Feature`}>
      <p className={css.question}>{t`Do you want to enable payments for your patients?`}</p>
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

/** The answer is stored. There are no hosted payment forms to link to yet. */
function Noted({ onGoOn }: { onGoOn: () => Promise<void> }) {
  const { t } = useLingui();
  const goOn = useMutation({ mutationFn: onGoOn });
  return (
    <StepCard icon={CheckCircleIcon} title={t`We noted that you want payments`} status>
      <StepLead>{t`Card payments are set up in Settings once they are available here. Until then nothing is charged and your patients are not asked to pay.`}</StepLead>
      <div className={css.answers}>
        <Button variant="filled" size="l" block autoFocus busy={goOn.isPending} onClick={() => goOn.mutate()}>
          {t`Go to dashboard`}
        </Button>
      </div>
    </StepCard>
  );
}
