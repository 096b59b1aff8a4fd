import { useLingui } from '@lingui/react/macro';
import { isHistory, type QueueEntry } from '#contract/queue.ts';
import { HandIcon } from '#web/icons/hand.tsx';
import { MessageOffIcon } from '#web/icons/message-off.tsx';
import { PhoneIcon } from '#web/icons/phone.tsx';
import { PhoneOffIcon } from '#web/icons/phone-off.tsx';
import { ShieldIcon } from '#web/icons/shield.tsx';
import type { Icon } from '#web/icons/shape.tsx';
import { VisuallyHidden } from '#web/kit/visually-hidden.tsx';
import { useFormLabels } from '#web/panel/features/queue/forms/form-labels.ts';
import { shortFormName } from '#web/panel/features/queue/forms/form-name.ts';
import { formsToReview } from '#web/panel/features/queue/forms/forms-to-review.ts';
import { textBlockName, textErrorReason } from '#web/panel/features/queue/texting/text-error-messages.ts';
import { isBlocked, textFailed } from '#web/panel/features/queue/texting/text-trouble.ts';
import css from './visit-card.module.css';

interface Warning {
  icon: Icon;
  label: string;
  /** On the card, beside the icon. */
  shown: string;
  /** Needs action now: it has a line of its own. Other warnings are informational. */
  urgent?: boolean;
}

/** The warnings of a visit, as text for the tooltip and for screen readers. */
function useWarnings(): (visit: QueueEntry) => Warning[] {
  const { t } = useLingui();
  const formLabels = useFormLabels();
  const shownText = ({ lastMessageState }: QueueEntry) => {
    if (lastMessageState === 'held') return t`Not texted`;
    return lastMessageState === 'failed' ? t`Text failed` : t`Delivery unknown`;
  };
  const textLabel = ({ lastMessageState, lastTextProblem }: QueueEntry) => {
    const why = textErrorReason(lastTextProblem);
    if (lastMessageState === 'held') return t`Not texted: ${why}`;
    return lastMessageState === 'failed' ? t`Text failed: ${why}` : t`Text sent, delivery unknown`;
  };
  return (visit) => {
    const found: (Warning | false)[] = [
      visit.stillWaitingAt !== null && {
        icon: HandIcon,
        label: t`Asks: still waiting?`,
        shown: t`Asking`,
        urgent: true,
      },
      textFailed(visit) && {
        icon: MessageOffIcon,
        label: textLabel(visit),
        shown: shownText(visit),
        urgent: true,
      },
      visit.textBlock !== null &&
        isBlocked(visit) && {
          icon: MessageOffIcon,
          label: textBlockName(visit.textBlock),
          shown: t`No texts`,
          urgent: true,
        },
      visit.patientCovidWarning && {
        icon: ShieldIcon,
        label: t`COVID screening needs a review`,
        shown: t`COVID review`,
        urgent: true,
      },
      ...formsToReview(visit).map((form) => {
        const { name } = formLabels(form);
        const shown = shortFormName(name);
        return { icon: ShieldIcon, label: t`Review: ${name}`, shown: t`Review: ${shown}`, urgent: true };
      }),
      !isHistory(visit.statusCode) &&
        !visit.device.notificationsEnabled &&
        visit.textBlock === null &&
        !textFailed(visit) && {
          icon: PhoneOffIcon,
          label: t`Hasn’t opened the check-in page: reachable by text only`,
          shown: t`Text only`,
        },
      visit.updateRequired && {
        icon: PhoneIcon,
        label: t`Page out of date on the phone`,
        shown: t`Old page`,
      },
    ];
    return found.filter((warning) => warning !== false);
  };
}

/** The warnings of one kind: those that need action now, or the others. */
export function CardWarnings({ visit, urgent }: { visit: QueueEntry; urgent: boolean }) {
  const warnings = useWarnings()(visit).filter((warning) => (warning.urgent ?? false) === urgent);
  return warnings.map(({ icon: WarningIcon, label, shown }) => (
    <span key={label} className={urgent ? css.urgent : css.mark} title={label}>
      <WarningIcon size={14} />
      <span aria-hidden="true">{shown}</span>
      <VisuallyHidden>{label}</VisuallyHidden>
    </span>
  ));
}
