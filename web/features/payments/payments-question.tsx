import { useLingui } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { openMerchantForms, skipPayments } from '#contract/payments.ts';
import { call } from '#web/kit/call.ts';
import { sessionQuery } from '#web/kit/session.ts';
import { useTitle } from '#web/kit/title.ts';
import { Button } from '#web/ui/plain/button.tsx';
import { CardIcon, CheckCircleIcon } from '#web/ui/plain/icons.tsx';
import { Trouble } from '#web/ui/plain/trouble.tsx';
import css from './payments-question.module.css';

/** Asked once of a practice whose software is AthenaOne, after the agreement. Either answer opens the dashboards. */
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
    <section className={css.card} aria-labelledby="payments-feature">
      <span className={css.icon}>
        <CardIcon size={28} />
      </span>
      <h2 id="payments-feature">{t`Payments Feature`}</h2>
      <p className={css.question}>{t`Do you want to enable payments for your patients?`}</p>
      <p
        className={css.lead}
      >{t`Patients pay their copay on their phone while they wait, and you see it beside their name.`}</p>
      <Trouble error={yes.error ?? skip.error} />
      <div className={css.answers}>
        <Button variant="filled" size="l" block busy={yes.isPending} locked={skip.isPending} onClick={press(yes)}>
          {t`Yes I Want`}
        </Button>
        <Button size="l" block busy={skip.isPending} locked={yes.isPending} onClick={press(skip)}>
          {t`Skip Payment feature`}
        </Button>
      </div>
    </section>
  );
}

/** The wish is kept; there are no hosted forms to lead to yet, and nothing is pretended. */
function Noted({ onGoOn }: { onGoOn: () => Promise<void> }) {
  const { t } = useLingui();
  const goOn = useMutation({ mutationFn: onGoOn });
  return (
    <section className={css.card} aria-labelledby="payments-noted" role="status">
      <span className={css.icon}>
        <CheckCircleIcon size={28} />
      </span>
      <h2 id="payments-noted">{t`We noted that you want payments`}</h2>
      <p
        className={css.lead}
      >{t`Card payments are set up in Settings once they are available here. Until then nothing is charged and your patients are not asked to pay.`}</p>
      <div className={css.answers}>
        <Button variant="filled" size="l" block autoFocus busy={goOn.isPending} onClick={() => goOn.mutate()}>
          {t`Go to dashboard`}
        </Button>
      </div>
    </section>
  );
}
