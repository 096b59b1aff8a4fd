import { useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import type { MerchantForm } from '#contract/merchant.ts';
import { CheckCircleIcon } from '#web/icons/check-circle.tsx';
import { ClockIcon } from '#web/icons/clock.tsx';
import { CloseCircleIcon } from '#web/icons/close-circle.tsx';
import { ExternalIcon } from '#web/icons/external.tsx';
import { InfoIcon } from '#web/icons/info.tsx';
import { Button, buttonClass } from '#web/panel/ui/button.tsx';
import { Card } from '#web/panel/ui/card.tsx';
import { StatusBadge } from '#web/panel/ui/status-badge.tsx';
import { ErrorText } from '#web/panel/ui/trouble.tsx';
import { useBegin, useOpenHostedForm } from './use-merchant.ts';
import css from './merchant.module.css';

/** Step 3: the provider's own pages. The link to them is made when the button is pressed. */
export function IdentityStep({ form }: { form: MerchantForm }) {
  const { t } = useLingui();
  const open = useOpenHostedForm();
  if (form.state === 'update-requested')
    return (
      <Card className={css.card} title={t`Identity`}>
        <MoreNeeded />
      </Card>
    );
  if (form.identity !== null || form.submittedAt !== null)
    return (
      <Card className={css.card} title={t`Identity`}>
        <p
          className={css.text}
        >{t`The payment provider has what it needs to know about the business and its owner.`}</p>
      </Card>
    );
  return (
    <Card className={css.card} title={t`Identity`}>
      <p className={css.text}>
        {t`The payment provider has to know who gets the money. You enter the owner, the tax ID and the bank account on its own pages; we never see them.`}
      </p>
      <p className={css.text}>
        {t`The form saves each step and stays open for an hour. You can come back to it as often as you like.`}
      </p>
      <ErrorText error={open.error} />
      <div className={css.buttons}>
        <Button
          variant="filled"
          icon={ExternalIcon}
          busy={open.isPending || open.isSuccess}
          onClick={() => open.mutate()}
        >
          {form.formBegun ? t`Continue onboarding` : t`Open the form`}
        </Button>
      </div>
    </Card>
  );
}

/** Step 4: where payouts go, as far as the provider shows it. */
export function BankStep({ form }: { form: MerchantForm }) {
  const { t } = useLingui();
  const lastFour = form.bank?.lastFour;
  return (
    <Card className={css.card} title={t`Bank`}>
      <p className={css.text}>
        {lastFour
          ? t`Payouts go to the account ending in ${lastFour}.`
          : form.bank
            ? t`The payment provider has your bank account.`
            : t`The payment provider has not confirmed your bank account yet.`}
      </p>
      <p className={css.text}>{t`To change the account, contact the payment provider.`}</p>
    </Card>
  );
}

/** Step 5: what the provider decided, and what to do next. */
export function TransactionsStep({ form }: { form: MerchantForm }) {
  const { t } = useLingui();
  return (
    <Card className={css.card} title={t`Transactions`}>
      <ReviewState form={form} />
      {form.state === 'approved' && (
        <>
          <p className={css.text}>{t`Your practice can take card payments. Patients can pay on their phone.`}</p>
          <div className={css.buttons}>
            <Link to="/dashboard" className={buttonClass({ variant: 'filled' })}>
              {t`Go to dashboard`}
            </Link>
          </div>
        </>
      )}
      {form.state === 'rejected' && <ApplyAgain />}
      {form.state === 'update-requested' && <MoreNeeded />}
      {form.state === 'processing' && (
        <p className={css.text}>
          {t`Most are approved within minutes; some take a few days. This page shows the result; you don’t have to wait here.`}
        </p>
      )}
    </Card>
  );
}

function ReviewState({ form: { state } }: { form: MerchantForm }) {
  const { t } = useLingui();
  if (state === 'approved') return <StatusBadge tone="green" icon={CheckCircleIcon}>{t`Approved`}</StatusBadge>;
  if (state === 'rejected') return <StatusBadge tone="red" icon={CloseCircleIcon}>{t`Not approved`}</StatusBadge>;
  if (state === 'update-requested')
    return <StatusBadge tone="amber" icon={InfoIcon}>{t`More information needed`}</StatusBadge>;
  return <StatusBadge tone="amber" icon={ClockIcon}>{t`In review`}</StatusBadge>;
}

/** What is missing, such as a document or a number, only the provider's own form shows. */
function MoreNeeded() {
  const { t } = useLingui();
  const open = useOpenHostedForm();
  return (
    <>
      <p className={css.text}>
        {t`The payment provider needs more information, such as a document or a corrected number. Its form shows what. Submit the form again, and the review goes on. Until then patients cannot pay by card.`}
      </p>
      <ErrorText error={open.error} />
      <div className={css.buttons}>
        <Button
          variant="filled"
          icon={ExternalIcon}
          busy={open.isPending || open.isSuccess}
          onClick={() => open.mutate()}
        >
          {t`Continue onboarding`}
        </Button>
      </div>
    </>
  );
}

/** A rejection can have many reasons, and only the provider knows them. */
function ApplyAgain() {
  const { t } = useLingui();
  const begin = useBegin();
  return (
    <>
      <p className={css.text}>
        {t`The payment provider did not approve the application. Often a name, tax ID or address differs from official papers. Check your answers and apply again, or write to us and we will find out more.`}
      </p>
      <ErrorText error={begin.error} />
      <div className={css.buttons}>
        <Button variant="filled" busy={begin.isPending} onClick={() => begin.mutate()}>
          {t`Apply again`}
        </Button>
        <Link to="/dashboard/settings/live-customer-support" className={buttonClass({})}>
          {t`Write to us`}
        </Link>
      </div>
    </>
  );
}
