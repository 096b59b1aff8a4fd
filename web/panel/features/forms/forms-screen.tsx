import { lazyRouteComponent } from '@tanstack/react-router';
import { useSession, type Session } from '#web/kit/session.ts';

const AllForms = lazyRouteComponent(() => import('./forms-page.tsx'), 'FormsPage');
const TodaysForms = lazyRouteComponent(() => import('./todays-forms-page.tsx'), 'TodaysFormsPage');

/** `/dashboard/forms`: today's patients and their forms for an office with the older screen, else the search in all forms. */
export function FormsScreen() {
  return useSession().flags.useOldFormsScreen ? <TodaysForms /> : <AllForms />;
}

/** Loads the screen that this office will see, alongside the session and the route's own data. */
export const fetchForms = ({ flags }: Session): Promise<unknown> | undefined =>
  (flags.useOldFormsScreen ? TodaysForms : AllForms).preload?.();
