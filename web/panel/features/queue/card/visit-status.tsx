import { useLingui } from '@lingui/react/macro';
import type { EndReason, QueueEntry, VisitStatus } from '#contract/queue.ts';
import { formatTime, useOfficeZone } from '#web/kit/format.tsx';
import { useLanguage } from '#web/kit/i18n.ts';
import { CheckCircleIcon } from '#web/icons/check-circle.tsx';
import { CheckIcon } from '#web/icons/check.tsx';
import { ClockIcon } from '#web/icons/clock.tsx';
import { CloseCircleIcon } from '#web/icons/close-circle.tsx';
import { PhoneIcon } from '#web/icons/phone.tsx';
import { RepeatIcon } from '#web/icons/repeat.tsx';
import { SendIcon } from '#web/icons/send.tsx';
import { WalkIcon } from '#web/icons/walk.tsx';
import type { Icon } from '#web/icons/shape.tsx';
import { StatusBadge, type Tone } from '#web/panel/ui/status-badge.tsx';

/** The color and the icon of a visit's status, on every screen. */
export const visitLooks: Record<VisitStatus, { tone: Tone; icon: Icon }> = {
  EXPECTED: { tone: 'gray', icon: PhoneIcon },
  WAITING: { tone: 'amber', icon: ClockIcon },
  INVITED: { tone: 'blue', icon: SendIcon },
  REINVITED: { tone: 'violet', icon: RepeatIcon },
  GOING: { tone: 'green', icon: WalkIcon },
  PATIENT_DONE: { tone: 'green', icon: CheckCircleIcon },
  PATIENT_CANCELLED: { tone: 'red', icon: CloseCircleIcon },
  DOCTOR_CANCELLED: { tone: 'gray', icon: CloseCircleIcon },
};

/** Labels for why staff ended a visit. */
export function useEndReasonLabel(): Record<EndReason, string> {
  const { t } = useLingui();
  return { seen: t`Seen`, 'no-show': t`No-show`, left: t`Left`, cancelled: t`Canceled`, duplicate: t`Duplicate` };
}

/** What the status of a visit is shown by. */
type VisitFacts = Pick<QueueEntry, 'statusCode' | 'autoInviteAt' | 'endReason'>;

/** The status as text: 'Waiting', or 'Waiting {time}' with the time of the automatic invite. */
export function useStatusLabel(): (visit: VisitFacts) => string {
  const { t } = useLingui();
  const language = useLanguage();
  const zone = useOfficeZone();
  const reasons = useEndReasonLabel();
  const labels: Record<VisitStatus, string> = {
    EXPECTED: t`Expected`,
    WAITING: t`Waiting`,
    INVITED: t`Invited`,
    REINVITED: t`Reinvited`,
    GOING: t`On the way`,
    PATIENT_DONE: t`Done!`,
    PATIENT_CANCELLED: t`Canceled`,
    DOCTOR_CANCELLED: t`In History`,
  };
  return ({ statusCode, autoInviteAt, endReason }) => {
    if (statusCode === 'DOCTOR_CANCELLED' && endReason) return reasons[endReason];
    if (statusCode !== 'WAITING' || !autoInviteAt) return labels[statusCode];
    const time = formatTime(autoInviteAt, language, zone);
    return t`Waiting ${time}`;
  };
}

/** The status badge with icon, text and tint, the same everywhere. */
export function VisitStatusBadge({ visit }: { visit: VisitFacts }) {
  const statusLabel = useStatusLabel();
  const { tone, icon } = visitLooks[visit.statusCode];
  const seen = visit.statusCode === 'DOCTOR_CANCELLED' && visit.endReason === 'seen';
  return (
    <StatusBadge tone={tone} icon={seen ? CheckIcon : icon}>
      {statusLabel(visit)}
    </StatusBadge>
  );
}
