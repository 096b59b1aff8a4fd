import { useNavigate } from '@tanstack/react-router';
import type { QueueEntry } from '#contract/queue.ts';
import { useSession } from '#web/kit/session.ts';

/** Leads to the forms that the visit's whole family filed. The name travels beside the address, never in it. */
export function useOpenForms(): (visit: QueueEntry) => void {
  const navigate = useNavigate();
  const { useOldFormsScreen } = useSession().flags;
  return ({ id, patientName }) => {
    if (useOldFormsScreen) void navigate({ to: '/dashboard/forms', search: { open: id } });
    else void navigate({ to: '/dashboard/forms', search: { visit: id }, state: { visitName: patientName } });
  };
}
