import { useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { isDeclined, subscriptionState, type PaymentDisplay } from '#contract/membership.ts';
import { AlertCircleIcon } from '#web/icons/alert-circle.tsx';
import { CheckCircleIcon } from '#web/icons/check-circle.tsx';
import { LockIcon } from '#web/icons/lock.tsx';
import { Button } from '#web/panel/ui/button.tsx';
import { Card } from '#web/panel/ui/card.tsx';
import { TextInput } from '#web/panel/ui/field.tsx';
import { CardForm } from './card-form.tsx';
import css from './membership.module.css';
import type { MembershipData } from './use-membership.ts';

/** The card on file: locked, being edited, or just saved. */
export function PaymentMethod({ membership, cardPage }: { membership: MembershipData; cardPage: string }) {
  const { t } = useLingui();
  const [mode, setMode] = useState<'view' | 'edit' | 'saved'>('view');
  const { payment } = membership;
  const hasCard = payment.number !== null;
  const isEditing = mode === 'edit' || !hasCard;
  return (
    <Card
      title={t`Payment Method`}
      actions={!isEditing && <Button onClick={() => setMode('edit')}>{t`Edit Details`}</Button>}
    >
      {!hasCard && subscriptionState(membership.subscription) === 'paused' && (
        <p className={css.declined}>
          <AlertCircleIcon size={16} />
          {t`Your plan is paused. Add a card, then press Re-Activate Plan.`}
        </p>
      )}
      {!hasCard && <h3 className={css.callout}>{t`Add a payment method to get started`}</h3>}
      {isDeclined(membership.subscription) && (
        <p className={css.declined}>
          <AlertCircleIcon size={16} />
          {t`Your automatic payment method was declined. Enter another card.`}
        </p>
      )}
      <p role="status" className={css.saved}>
        {mode === 'saved' && (
          <>
            <CheckCircleIcon size={16} />
            {t`Your payment method was saved.`}
          </>
        )}
      </p>
      {isEditing ? (
        <CardForm
          membership={membership}
          cardPage={cardPage}
          onSaved={() => setMode('saved')}
          onCancel={hasCard ? () => setMode('view') : null}
        />
      ) : (
        <LockedCard payment={payment} />
      )}
    </Card>
  );
}

/** Nothing here can be changed, and the number is never shown in full. */
function LockedCard({ payment: { name, number, date, cvv } }: { payment: PaymentDisplay }) {
  const { t } = useLingui();
  return (
    <div className={css.card}>
      <p className={css.facts}>
        <LockIcon size={16} />
        {t`Your details are locked.`}
      </p>
      <div className={css.fields}>
        <TextInput label={t`Cardholder Name`} value={name ?? ''} readOnly />
        <TextInput label={t`Card Number`} value={number ?? ''} readOnly />
        <TextInput label={t`Expiry Date`} value={date ?? ''} readOnly />
        <TextInput label={t`CVC`} value={cvv ?? ''} readOnly />
      </div>
    </div>
  );
}
