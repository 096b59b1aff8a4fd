import { useLingui } from '@lingui/react/macro';
import type { QueueEntry } from '#contract/queue.ts';
import { EyeIcon } from '#web/icons/eye.tsx';
import { PhoneOffIcon } from '#web/icons/phone-off.tsx';
import { StatusBadge } from '#web/panel/ui/status-badge.tsx';

/** Whether the patient has opened the check-in page. Nobody knows whether it is still open. */
export function PhoneContact({ device }: Pick<QueueEntry, 'device'>) {
  const { t } = useLingui();
  return device.notificationsEnabled ? (
    <StatusBadge tone="green" icon={EyeIcon}>
      {t`Opened the page`}
    </StatusBadge>
  ) : (
    <StatusBadge tone="gray" icon={PhoneOffIcon}>
      {t`Text only`}
    </StatusBadge>
  );
}
