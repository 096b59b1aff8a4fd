import { useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import type { MerchantForm } from '#contract/merchant.ts';
import { productName } from '#web/kit/title.ts';
import { CheckIcon } from '#web/icons/check.tsx';
import { LockIcon } from '#web/icons/lock.tsx';
import { Button } from '#web/panel/ui/button.tsx';
import { Card } from '#web/panel/ui/card.tsx';
import { LoadError } from '#web/panel/ui/load-error.tsx';
import { Page } from '#web/panel/ui/page.tsx';
import { Skeleton } from '#web/panel/ui/skeleton.tsx';
import { ErrorText } from '#web/panel/ui/trouble.tsx';
import { VisuallyHidden } from '#web/kit/visually-hidden.tsx';
import { AddressStep, DetailsStep } from './answer-steps.tsx';
import { draftOf, type Draft } from './answers-draft.ts';
import { BankStep, IdentityStep, TransactionsStep } from './review-steps.tsx';
import { useBegin, useMerchantForm } from './use-merchant.ts';
import css from './merchant.module.css';

/** The practice's application for card payments. */
export function ApplyPage() {
  const { t } = useLingui();
  const form = useMerchantForm();
  return (
    <Page title={t`Collect Payments Through the ${productName} App`}>
      {form.isPending && (
        <Card>
          <Skeleton height={320} />
        </Card>
      )}
      {form.isError && !form.data && <LoadError title={t`The application could not be loaded`} query={form} />}
      {form.data && <Promo form={form.data} />}
      {/* Another application begins with its own draft. */}
      {form.data?.id && <Application key={form.data.id} form={form.data} />}
    </Page>
  );
}

/** What payments are, and how to get them. */
function Promo({ form }: { form: MerchantForm }) {
  const { t } = useLingui();
  const begin = useBegin();
  const isProcessing = form.state === 'processing';
  if (form.id && !isProcessing) return null;
  return (
    <Card className={css.card}>
      <p className={css.text}>
        {t`Patients pay their copay on their phone while they wait, and you see it beside their name. Payouts go to your bank account.`}
      </p>
      <ErrorText error={begin.error} />
      <div className={css.buttons}>
        {isProcessing ? (
          <Button disabled>{t`Application Processing`}</Button>
        ) : (
          <Button variant="filled" busy={begin.isPending} onClick={() => begin.mutate()}>
            {t`Apply Now`}
          </Button>
        )}
      </div>
    </Card>
  );
}

type StepNumber = 1 | 2 | 3 | 4 | 5;
const stepNumbers: readonly StepNumber[] = [1, 2, 3, 4, 5];

function Application({ form }: { form: MerchantForm }) {
  const [draft, setDraft] = useState<Draft>(() => draftOf(form));
  // Null: the last step that may be opened, also when a later one unlocks.
  const [chosen, setChosen] = useState<StepNumber | null>(null);
  const unlocked = stepNumbers[form.unlockedStep - 1] ?? 1;
  const active = chosen ?? unlocked;
  const change = (part: Partial<Draft>) => setDraft((now) => ({ ...now, ...part }));
  const answers = { form, draft, change };
  return (
    <>
      <StepList active={active} unlocked={unlocked} onChoose={setChosen} />
      {active === 1 && <AddressStep {...answers} onSaved={() => setChosen(2)} />}
      {active === 2 && <DetailsStep {...answers} onSaved={() => setChosen(3)} />}
      {active === 3 && <IdentityStep form={form} />}
      {active === 4 && <BankStep form={form} />}
      {active === 5 && <TransactionsStep form={form} />}
    </>
  );
}

/** The five steps. A locked one cannot be opened yet. */
function StepList(props: { active: StepNumber; unlocked: StepNumber; onChoose: (step: StepNumber) => void }) {
  const { active, unlocked, onChoose } = props;
  const { t } = useLingui();
  const titles = { 1: t`Address`, 2: t`Details`, 3: t`Identity`, 4: t`Bank`, 5: t`Transactions` };
  return (
    <ol className={css.steps} aria-label={t`Steps of the application`}>
      {stepNumbers.map((step) => {
        const isLocked = step > unlocked;
        return (
          <li key={step}>
            <button
              type="button"
              className={css.step}
              aria-current={step === active ? 'step' : undefined}
              aria-disabled={isLocked || undefined}
              onClick={() => !isLocked && onChoose(step)}
            >
              <span className={css.mark} aria-hidden>
                {isLocked ? <LockIcon size={16} /> : step < unlocked ? <CheckIcon size={16} /> : step}
              </span>
              <span>
                {titles[step]}
                {isLocked && <VisuallyHidden>{t`, not open yet`}</VisuallyHidden>}
                {step < unlocked && <VisuallyHidden>{t`, done`}</VisuallyHidden>}
              </span>
            </button>
          </li>
        );
      })}
    </ol>
  );
}
