import { useNavigate } from '@tanstack/react-router';
import type { QueueEntry } from '#contract/queue.ts';
import { useSession } from '#web/kit/session.ts';

/** Opens the forms of the visit's whole family. The name goes into the history state, never into the address. */
export function useOpenForms(): (visit: QueueEntry) => void {
  const navigate = useNavigate();
  const { useOldFormsScreen } = useSession().flags;
  return ({ id, patientName }) => {
    if (useOldFormsScreen) void navigate({ to: '/dashboard/forms', search: { open: id } });
    else void navigate({ to: '/dashboard/forms', search: { visit: id }, state: { visitName: patientName } });
  };
}
