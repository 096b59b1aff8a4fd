import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { readReturnSearch } from '#web/panel/features/merchant/merchant-search.ts';
import { office } from './office-route.ts';

/** The application for card payments. */
const apply = createRoute({
  getParentRoute: () => office,
  path: '/apply',
  component: lazyRouteComponent(() => import('#web/panel/features/merchant/apply-page.tsx'), 'ApplyPage'),
});

/** Where the payment provider's hosted form leads back to. */
const finixForms = createRoute({
  getParentRoute: () => office,
  path: '/finix-forms',
  validateSearch: readReturnSearch,
  component: lazyRouteComponent(() => import('#web/panel/features/merchant/return-page.tsx'), 'ReturnPage'),
});

/** How a practice comes to card payments by its patients. */
export const merchantRoutes = [apply, finixForms] as const;
