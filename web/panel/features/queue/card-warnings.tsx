import { useLingui } from '@lingui/react/macro';
import { isHistory, type QueueEntry } from '#contract/queue.ts';
import { HandIcon } from '#web/icons/hand.tsx';
import { MessageIcon } from '#web/icons/message.tsx';
import { PhoneOffIcon } from '#web/icons/phone-off.tsx';
import { ShieldIcon } from '#web/icons/shield.tsx';
import type { Icon } from '#web/icons/shape.tsx';
import { VisuallyHidden } from '#web/panel/ui/visually-hidden.tsx';
import { useTextErrorMessage } from './text-error-messages.ts';
import css from './visit-card.module.css';

interface Warning {
  icon: Icon;
  words: string;
  /** Shown as text on the card, beside the icon. */
  shown?: string | false;
  /** Needs action now; other warnings are informational. */
  urgent?: boolean;
}

/** The warnings of a visit, as text for the tooltip and for screen readers. */
function useWarnings(): (visit: QueueEntry) => Warning[] {
  const { t } = useLingui();
  const { reason } = useTextErrorMessage();
  const textWords = ({ lastMessageState, lastTextProblem }: QueueEntry) => {
    const why = reason(lastTextProblem);
    return lastMessageState === 'failed' ? t`Text failed: ${why}` : t`Text sent, delivery unknown`;
  };
  return (visit) => {
    const found: (Warning | false)[] = [
      visit.stillWaitingAt !== null && { icon: HandIcon, words: t`Asks: still waiting?`, urgent: true },
      textFailed(visit) && {
        icon: MessageIcon,
        words: textWords(visit),
        shown: visit.lastMessageState === 'failed' && t`Text failed`,
        urgent: true,
      },
      visit.patientCovidWarning && { icon: ShieldIcon, words: t`COVID screening needs a review`, urgent: true },
      !isHistory(visit.statusCode) &&
        !visit.device.notificationsEnabled && {
          icon: PhoneOffIcon,
          words: t`Has not opened the page on the phone: texts only`,
        },
    ];
    return found.filter((warning) => warning !== false);
  };
}

/** The text failed, or its delivery is unknown. */
function textFailed({ lastMessageState }: QueueEntry): boolean {
  return lastMessageState === 'failed' || lastMessageState === 'unknown';
}

export function CardWarnings({ visit }: { visit: QueueEntry }) {
  const warnings = useWarnings()(visit);
  return warnings.map(({ icon: WarningIcon, words, shown, urgent }) => (
    <span key={words} className={urgent ? css.urgent : css.mark} title={words}>
      <WarningIcon size={14} />
      {shown && <span aria-hidden="true">{shown}</span>}
      <VisuallyHidden>{words}</VisuallyHidden>
    </span>
  ));
}
