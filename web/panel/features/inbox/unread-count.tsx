import { useLingui } from '@lingui/react/macro';
import { Counter } from '#web/panel/ui/status-badge.tsx';
import { VisuallyHidden } from '#web/panel/ui/visually-hidden.tsx';
import { useInboxCounts } from './use-inbox-counts.ts';

/** The number of unread conversations, in the Messages tab. */
export function UnreadCount() {
  const { t } = useLingui();
  const unread = useInboxCounts()?.unread ?? 0;
  if (unread === 0) return null;
  return (
    <Counter strong>
      {unread}
      <VisuallyHidden> {t`unread`}</VisuallyHidden>
    </Counter>
  );
}
