import { useLingui } from '@lingui/react/macro';
import { isHistory, type QueueEntry } from '#contract/queue.ts';
import { HandIcon } from '#web/icons/hand.tsx';
import { MessageIcon } from '#web/icons/message.tsx';
import { PhoneOffIcon } from '#web/icons/phone-off.tsx';
import { ShieldIcon } from '#web/icons/shield.tsx';
import type { Icon } from '#web/icons/shape.tsx';
import { classNames } from '#web/panel/ui/class-names.ts';
import { VisuallyHidden } from '#web/panel/ui/visually-hidden.tsx';
import { textBlockName, textErrorReason } from './text-error-messages.ts';
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
  const textWords = ({ lastMessageState, lastTextProblem }: QueueEntry) => {
    const why = textErrorReason(lastTextProblem);
    if (lastMessageState === 'held') return t`Not texted: ${why}`;
    return lastMessageState === 'failed' ? t`Text failed: ${why}` : t`Text sent, delivery unknown`;
  };
  return (visit) => {
    const found: (Warning | false)[] = [
      visit.stillWaitingAt !== null && { icon: HandIcon, words: t`Asks: still waiting?`, urgent: true },
      textFailed(visit) && {
        icon: MessageIcon,
        words: textWords(visit),
        shown:
          visit.lastMessageState === 'failed' ? t`Text failed` : visit.lastMessageState === 'held' && t`Not texted`,
        urgent: true,
      },
      visit.textBlock !== null &&
        !isHistory(visit.statusCode) &&
        !(textFailed(visit) && visit.lastTextProblem === visit.textBlock) && {
          icon: MessageIcon,
          words: textBlockName(visit.textBlock),
          shown: t`No texts`,
          urgent: true,
        },
      visit.patientCovidWarning && { icon: ShieldIcon, words: t`COVID screening needs a review`, urgent: true },
      // Not beside a failed text, which needs the room for its words.
      !isHistory(visit.statusCode) &&
        !visit.device.notificationsEnabled &&
        visit.textBlock === null &&
        !textFailed(visit) && {
          icon: PhoneOffIcon,
          words: t`Hasn’t opened the check-in page: reachable by text only`,
        },
    ];
    return found.filter((warning) => warning !== false);
  };
}

/** The text failed, a limit held it back, or its delivery is unknown. */
function textFailed({ lastMessageState, lastTextProblem }: QueueEntry): boolean {
  const isLimited = lastMessageState === 'held' && lastTextProblem !== null;
  return lastMessageState === 'failed' || lastMessageState === 'unknown' || isLimited;
}

export function CardWarnings({ visit }: { visit: QueueEntry }) {
  const warnings = useWarnings()(visit);
  return warnings.map(({ icon: WarningIcon, words, shown, urgent }) => (
    <span key={words} className={classNames(urgent ? css.urgent : css.mark, shown && css.failure)} title={words}>
      <WarningIcon size={14} />
      {shown && <span aria-hidden="true">{shown}</span>}
      <VisuallyHidden>{words}</VisuallyHidden>
    </span>
  ));
}
