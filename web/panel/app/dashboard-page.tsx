import { lazyRouteComponent } from '@tanstack/react-router';
import { QueuePage } from '#web/panel/features/queue/page/queue-page.tsx';
import { useSession } from '#web/kit/session.ts';

const EngagePage = lazyRouteComponent(() => import('#web/panel/features/engage/engage-page.tsx'), 'EngagePage');

/** `/dashboard`: the live queue, or Engage Patients at an office without the Check-in tab. */
export function DashboardPage() {
  const { flags } = useSession();
  return flags.disableCheckin ? <EngagePage /> : <QueuePage />;
}
