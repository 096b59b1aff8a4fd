import { useLingui } from '@lingui/react/macro';
import type { NurseCallback } from '#contract/ambulatory/callbacks.ts';
import { PersonIcon } from '#web/icons/person.tsx';
import { PhoneIcon } from '#web/icons/phone.tsx';
import { StatusBadge } from '#web/panel/ui/status-badge.tsx';

interface CallbackBadgeProps {
  callback: Pick<NurseCallback, 'state' | 'takenBy'>;
}

/** Whether a nurse has taken a callback, and who. */
export function CallbackBadge({ callback: { state, takenBy } }: CallbackBadgeProps) {
  const { t } = useLingui();
  if (state === 'closed') return null;
  if (state === 'open') return <StatusBadge tone="red" icon={PhoneIcon}>{t`Call back`}</StatusBadge>;
  return (
    <StatusBadge tone="blue" icon={PersonIcon}>
      {takenBy === null ? t`Taken` : t`Taken by ${takenBy.name}`}
    </StatusBadge>
  );
}
