import { useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { isHistory, type QueueEntry, type VisitMessage } from '#contract/queue.ts';
import { Button } from '#web/panel/ui/button.tsx';
import { Card } from '#web/panel/ui/card.tsx';
import { CardIcon } from '#web/icons/card.tsx';
import { CheckIcon } from '#web/icons/check.tsx';
import { ClockIcon } from '#web/icons/clock.tsx';
import { FormIcon } from '#web/icons/form.tsx';
import { PhoneIcon } from '#web/icons/phone.tsx';
import { PhoneOffIcon } from '#web/icons/phone-off.tsx';
import { ShieldIcon } from '#web/icons/shield.tsx';
import { StatusBadge } from '#web/panel/ui/status-badge.tsx';
import { VisuallyHidden } from '#web/panel/ui/visually-hidden.tsx';
import { shortFormName } from './form-name.ts';
import { isPending, useFormLabels } from './form-labels.ts';
import { PaymentDetails } from './payment-details.tsx';
import { useMissingForms } from './use-missing-forms.ts';
import css from './visit-panel.module.css';

interface IndicatorsProps {
  visit: QueueEntry;
  /** Only today's patients can be asked for a form. */
  isToday: boolean;
  messages: VisitMessage[] | undefined;
}

/** Badges for forms, screening, payment and phone contact. A badge without news is left out. */
export function Indicators({ visit, isToday, messages }: IndicatorsProps) {
  const { t } = useLingui();
  const missing = isToday && !isHistory(visit.statusCode) ? visit.forms.filter(({ incomplete }) => incomplete) : [];
  const missingForms = useMissingForms(missing.length > 0);
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
      {missing.length > 0 && missingForms && (
        <missingForms.MissingForms visit={visit} forms={missing} messages={messages} />
      )}
    </Card>
  );
}

function Form({ form }: { form: QueueEntry['forms'][number] }) {
  const { name, message } = useFormLabels()(form);
  const { complete, outcome } = form;
  const short = shortFormName(name);
  const tone = complete ? (outcome === 'review' ? 'amber' : 'green') : isPending(form) ? 'amber' : 'gray';
  const icon = complete ? (outcome === 'review' ? ShieldIcon : CheckIcon) : isPending(form) ? ClockIcon : FormIcon;
  return (
    <span title={name}>
      <StatusBadge tone={tone} icon={icon}>
        <span aria-hidden={short !== name || undefined}>{short}</span>
        {short !== name && <VisuallyHidden>{name}</VisuallyHidden>}
        {` · ${message}`}
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
