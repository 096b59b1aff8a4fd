import { useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import type { QueueEntry } from '#contract/queue.ts';
import { Button } from '#web/ui/plain/button.tsx';
import { Card } from '#web/ui/plain/card.tsx';
import { CardIcon, CheckIcon, ClockIcon, FormIcon, PhoneIcon, PhoneOffIcon, ShieldIcon } from '#web/ui/plain/icons.tsx';
import { StatusBadge } from '#web/ui/plain/status-badge.tsx';
import { VisuallyHidden } from '#web/ui/plain/visually-hidden.tsx';
import { PaymentDetails } from './payment-details.tsx';
import { shortFormName } from './form-name.ts';
import css from './visit-panel.module.css';

/** Forms, screening, payment and how the phone can be reached: each with icon, word and tint, and only where there is something to say. */
export function Indicators({ visit }: { visit: QueueEntry }) {
  const { t } = useLingui();
  const open = visit.device.notificationsEnabled;
  return (
    <Card level={3} title={t`Indicators`}>
      <ul className={css.chips}>
        {visit.forms.map((form) => (
          <li key={form.indicator}>
            <Form form={form} />
          </li>
        ))}
        {visit.covid && (
          <li>
            <StatusBadge
              tone={visit.patientCovidWarning ? 'amber' : 'green'}
              icon={visit.patientCovidWarning ? ShieldIcon : CheckIcon}
            >
              {visit.patientCovidWarning ? t`COVID Review` : t`COVID Clear`}
            </StatusBadge>
          </li>
        )}
        {visit.paymentResponse && (
          <li>
            <Payment payment={visit.paymentResponse} />
          </li>
        )}
        <li>
          <StatusBadge tone={open ? 'green' : 'gray'} icon={open ? PhoneIcon : PhoneOffIcon}>
            {open ? t`Phone page open` : t`Text only`}
          </StatusBadge>
        </li>
        {visit.updateRequired && (
          <li>
            <StatusBadge tone="amber" icon={PhoneIcon}>
              {t`Phone needs an update`}
            </StatusBadge>
          </li>
        )}
      </ul>
    </Card>
  );
}

function Form({ form }: { form: QueueEntry['forms'][number] }) {
  const { formName, complete, incomplete, enablePendingIndicator, completeMessage, incompleteMessage } = form;
  const pending = incomplete && enablePendingIndicator;
  const short = shortFormName(formName);
  const message = complete ? completeMessage : incompleteMessage;
  return (
    <span title={formName}>
      <StatusBadge
        tone={complete ? 'green' : pending ? 'amber' : 'gray'}
        icon={complete ? CheckIcon : pending ? ClockIcon : FormIcon}
      >
        <span aria-hidden={short !== formName || undefined}>{short}</span>
        {short !== formName && <VisuallyHidden>{formName}</VisuallyHidden>}
        {message && ` · ${message}`}
      </StatusBadge>
    </span>
  );
}

function Payment({ payment }: { payment: NonNullable<QueueEntry['paymentResponse']> }) {
  const { t } = useLingui();
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button size="s" icon={CardIcon} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {payment.state === 'SUCCEEDED' ? t`Payment Done` : t`Payment Pending`}
      </Button>
      {open && <PaymentDetails payment={payment} onClose={() => setOpen(false)} />}
    </>
  );
}
