import { useLingui } from '@lingui/react/macro';
import type { EndReason } from '#contract/queue.ts';
import type { PatientVisit } from '#contract/patient/visit.ts';
import { formatDay } from '#web/kit/format.tsx';
import { useLanguage } from '#web/kit/i18n.ts';
import { CarIcon } from '#web/icons/car.tsx';
import { CheckCircleIcon } from '#web/icons/check-circle.tsx';
import { ClockIcon } from '#web/icons/clock.tsx';
import { CloseCircleIcon } from '#web/icons/close-circle.tsx';
import { DoorIcon } from '#web/icons/door.tsx';
import { WalkIcon } from '#web/icons/walk.tsx';
import type { Icon } from '#web/icons/shape.tsx';

export interface StatusMessages {
  icon: Icon;
  tone: 'amber' | 'blue' | 'green' | 'gray';
  /** The status. */
  title: string;
  /** What to do now. */
  todo: string;
  /** The place in line. */
  place: string;
}

/** A visit's state as its patient reads it. */
export function useStatusMessages(visit: PatientVisit): StatusMessages {
  const { t } = useLingui();
  const { statusCode, place, endReason, isToday, getsTexts, wasCalled } = visit;
  const day = formatDay(visit.createdAt, useLanguage(), visit.timeZone);
  const called = { icon: DoorIcon, tone: 'green', title: t`Come in now`, place: '' } as const;
  const over = { tone: 'gray', place: '' } as const;
  const ended: Record<EndReason, { title: string; todo: string }> = {
    seen: { title: t`Thank you for coming`, todo: t`Your visit is complete. Take care!` },
    'no-show': {
      title: t`We missed you`,
      todo: t`We called you in and did not see you. If you are still here, please check in again or see the front desk.`,
    },
    left: {
      title: t`Your visit was closed`,
      todo: t`If you are still here, please check in again or see the front desk.`,
    },
    cancelled: { title: t`Your visit was canceled`, todo: t`If this surprises you, please see the front desk.` },
    duplicate: {
      title: t`You were checked in twice`,
      todo: t`We closed this check-in because you have another one today.`,
    },
  };

  if (
    !isToday &&
    (statusCode === 'WAITING' || statusCode === 'EXPECTED' || statusCode === 'GOING' || statusCode.endsWith('INVITED'))
  )
    return { ...over, icon: ClockIcon, title: t`This visit is over`, todo: t`It was on ${day}.` };
  switch (statusCode) {
    case 'INVITED':
      return { ...called, todo: t`We are ready for you. Please come to the front desk.` };
    case 'REINVITED':
      return { ...called, todo: t`We are still waiting for you. Please come to the front desk.` };
    case 'GOING':
      return {
        icon: WalkIcon,
        tone: 'blue',
        title: t`You are on your way`,
        todo: t`Please come to the front desk. Tell us here once you are inside.`,
        place: '',
      };
    case 'PATIENT_DONE':
      return {
        ...over,
        icon: CheckCircleIcon,
        tone: 'green',
        title: t`You’re inside`,
        todo: t`We told the front desk you’re inside. Thank you!`,
      };
    case 'PATIENT_CANCELLED':
      return {
        ...over,
        icon: CloseCircleIcon,
        title: t`You’re no longer in line`,
        todo: t`We let the front desk know.`,
      };
    case 'DOCTOR_CANCELLED': {
      // Nobody missed a call that never came. An older server does not say whether it came.
      const reason = endReason === 'no-show' && wasCalled === false ? 'left' : (endReason ?? 'seen');
      const icon = reason === 'seen' ? CheckCircleIcon : CloseCircleIcon;
      return { ...over, icon, tone: reason === 'seen' ? 'green' : 'gray', ...ended[reason] };
    }
    case 'WAITING':
    case 'EXPECTED':
      return {
        icon: CarIcon,
        tone: 'amber',
        title: t`You’re checked in`,
        // An older server does not say it.
        todo:
          getsTexts === false
            ? t`Keep this page open: we can’t text this number. We’ll let you know here.`
            : t`Please wait in your car. We’ll let you know here and by text when it’s time to come in.`,
        place: place === 1 ? t`You are next in line.` : t`Your place in line: ${place}`,
      };
  }
}
