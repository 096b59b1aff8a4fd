import { useNavigate } from '@tanstack/react-router';
import type { QueueEntry } from '#contract/queue.ts';
import { useOfficeZone } from '#web/kit/format.tsx';
import { useSession } from '#web/kit/session.ts';
import { dayOf } from './office-day.ts';

/** Leads to the forms a patient filed on the day of the visit. The name travels beside the address, never in it. */
export function useOpenForms(): (visit: QueueEntry) => void {
  const navigate = useNavigate();
  const zone = useOfficeZone();
  const { useOldFormsScreen } = useSession().flags;
  return ({ id, patientName, createdAt }) => {
    const day = dayOf(Date.parse(createdAt), zone);
    if (useOldFormsScreen) void navigate({ to: '/dashboard/forms', search: { open: id } });
    else void navigate({ to: '/dashboard/forms', search: { from: day, to: day }, state: { patientName } });
  };
}
