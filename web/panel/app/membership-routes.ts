import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { office } from './office-route.ts';

/** Membership. A plan is not required to enter it. */
const payments = createRoute({
  getParentRoute: () => office,
  path: '/payments',
  component: lazyRouteComponent(() => import('#web/panel/features/membership/membership-page.tsx'), 'MembershipPage'),
});

/** The practice's plan with us. */
export const membershipRoutes = [payments] as const;
