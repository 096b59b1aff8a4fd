import { useLingui } from '@lingui/react/macro';
import { QueuePage } from '#web/features/queue/queue-page.tsx';
import { useSession } from '#web/kit/session.ts';
import { EmptyState } from '#web/ui/plain/empty-state.tsx';
import { InfoIcon } from '#web/ui/plain/icons.tsx';

/** `/dashboard`: the live queue, unless the office has check-in switched off. */
export function DashboardPage() {
  const { t } = useLingui();
  const { flags } = useSession();
  if (!flags.disableCheckin) return <QueuePage />;
  return <EmptyState icon={InfoIcon} title={<h1>{t`Check-in is switched off for this practice`}</h1>} />;
}
