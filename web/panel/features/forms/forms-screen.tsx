import { lazyRouteComponent } from '@tanstack/react-router';
import { useSession, type Session } from '#web/kit/session.ts';

const NewForms = lazyRouteComponent(() => import('./forms-page.tsx'), 'FormsPage');
const OldForms = lazyRouteComponent(() => import('#web/panel/features/forms/older/old-forms-page.tsx'), 'OldFormsPage');

/** `/dashboard/forms`: the older screen for an office that works with it, the newer for all others. */
export function FormsScreen() {
  return useSession().flags.useOldFormsScreen ? <OldForms /> : <NewForms />;
}

/** Fetches the room that this office will see, together with the address's own work. */
export const fetchForms = ({ flags }: Session): Promise<unknown> | undefined =>
  (flags.useOldFormsScreen ? OldForms : NewForms).preload?.();
