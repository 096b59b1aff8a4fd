import { Navigate } from '@tanstack/react-router';
import { QueuePage } from '#web/panel/features/queue/queue-page.tsx';
import { useSession } from '#web/kit/session.ts';

/** `/dashboard`: the live queue. An office without the Check-in tab works in its forms list. */
export function DashboardPage() {
  const { flags } = useSession();
  return flags.disableCheckin ? <Navigate to="/dashboard/forms" replace /> : <QueuePage />;
}
