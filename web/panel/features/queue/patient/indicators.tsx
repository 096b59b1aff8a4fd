import { useLingui } from '@lingui/react/macro';
import { lazy, Suspense } from 'react';
import type { QueueEntry } from '#contract/queue.ts';
import { Card } from '#web/panel/ui/card.tsx';
import { CheckIcon } from '#web/icons/check.tsx';
import { ClockIcon } from '#web/icons/clock.tsx';
import { FormIcon } from '#web/icons/form.tsx';
import { PhoneIcon } from '#web/icons/phone.tsx';
import { ShieldIcon } from '#web/icons/shield.tsx';
import { formatMoney } from '#web/kit/format.tsx';
import { useLanguage } from '#web/kit/i18n.ts';
import { useSession } from '#web/kit/session.ts';
import { StatusBadge } from '#web/panel/ui/status-badge.tsx';
import { VisuallyHidden } from '#web/kit/visually-hidden.tsx';
import type { FollowedText } from '#web/panel/features/queue/texting/follow-text.ts';
import { shortFormName } from '#web/panel/features/queue/forms/form-name.ts';
import { formsToReview } from '#web/panel/features/queue/forms/forms-to-review.ts';
import { isPending, useFormLabels } from '#web/panel/features/queue/forms/form-labels.ts';
import { PaymentBadge } from '#web/panel/features/queue/card/payment-mark.tsx';
import { useShownName } from '#web/panel/features/queue/privacy.tsx';
import { useQueueSettings } from '#web/panel/features/queue/visits/use-queue.ts';
import { useTextOutcome } from '#web/panel/features/queue/texting/use-text-outcome.ts';
import { PhoneContact } from './phone-contact.tsx';
import css from './visit-panel.module.css';

const PaymentButton = lazy(() =>
  import('#web/panel/features/copay/index.ts').then((file) => ({ default: file.PaymentButton })),
);

/** Reports what became of the text with the link to pay. */
function usePaymentTexted({ id, patientName }: QueueEntry): (text: FollowedText, cents: number) => void {
  const { t } = useLingui();
  const tellOutcome = useTextOutcome();
  const name = useShownName()(patientName);
  const language = useLanguage();
  return (text, cents) => {
    const amount = formatMoney(cents, language);
    void tellOutcome(id, text, {
      name,
      sent: { title: t`Payment requested`, text: t`${name} was texted a link to pay ${amount}` },
      refused: t`The payment was requested, but ${name} was not texted`,
    });
  };
}

interface IndicatorsProps {
  visit: QueueEntry;
  /** Only today's patients can be asked for a payment. */
  isToday: boolean;
}

/** Badges for forms, screening, payment and phone contact. A badge without news is left out. */
export function Indicators({ visit, isToday }: IndicatorsProps) {
  const { t } = useLingui();
  const mayRequest = useSession().office?.cardPayments === 'approved' && isToday && visit.statusCode !== 'EXPECTED';
  const { copayCents } = useQueueSettings();
  const shownName = useShownName();
  const tellRequested = usePaymentTexted(visit);
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
        {formsToReview(visit).map((form) => (
          <li key={`review ${form.indicator}`}>
            <FormToReview form={form} />
          </li>
        ))}
        {(visit.paymentResponse || mayRequest) && (
          <li className={css.chips}>
            <PaymentBadge visit={visit} />
            <Suspense>
              <PaymentButton
                visit={visit}
                name={shownName(visit.patientName)}
                mayRequest={mayRequest}
                usualCents={copayCents ?? null}
                onTexted={tellRequested}
              />
            </Suspense>
          </li>
        )}
        <li>
          <PhoneContact device={visit.device} />
        </li>
        {visit.updateRequired && (
          <li>
            <StatusBadge tone="amber" icon={PhoneIcon}>
              {t`Page out of date on the phone`}
            </StatusBadge>
          </li>
        )}
      </ul>
    </Card>
  );
}

function FormToReview({ form }: { form: QueueEntry['forms'][number] }) {
  const { t } = useLingui();
  const { name } = useFormLabels()(form);
  return (
    <StatusBadge tone="amber" icon={ShieldIcon}>
      {t`Review: ${name}`}
    </StatusBadge>
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
