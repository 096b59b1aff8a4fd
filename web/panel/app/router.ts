import type { QueryClient } from '@tanstack/react-query';
import { createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import type { panelPaths } from '#contract/panel-paths.ts';
import { dashboardRoutes } from './dashboard-routes.ts';
import { entryRoutes } from './entry/entry-routes.ts';
import { FailedScreen } from './failed-screen.tsx';
import { LoadingScreen } from './loading-screen.tsx';
import { membershipRoutes } from './membership-routes.ts';
import { merchantRoutes } from './merchant-routes.ts';
import { office } from './office-route.ts';
import { root } from './root-route.ts';
import { parseSearch, stringifySearch } from './search-params.ts';
import { settingsRoutes } from './settings/settings-routes.ts';

/** Every UI part in every state, for developers; only on the development server. */
const developerRoutes = import.meta.env.DEV
  ? [
      createRoute({
        getParentRoute: () => root,
        path: '/dev/gallery',
        component: lazyRouteComponent(() => import('#web/panel/ui/gallery/gallery-page.tsx'), 'GalleryPage'),
      }),
    ]
  : [];

const tree = root.addChildren([
  ...entryRoutes,
  office.addChildren([...dashboardRoutes, ...membershipRoutes, ...merchantRoutes, ...settingsRoutes]),
  ...developerRoutes,
]);

export function makeRouter(cache: QueryClient) {
  return createRouter({
    routeTree: tree,
    context: { cache },
    parseSearch,
    stringifySearch,
    trailingSlash: 'never',
    defaultPendingComponent: LoadingScreen,
    defaultPendingMs: 100,
    defaultPendingMinMs: 0,
    defaultErrorComponent: FailedScreen,
    defaultPreload: 'intent',
    scrollRestoration: false,
  });
}

export type PanelRouter = ReturnType<typeof makeRouter>;

type MountedPath = Exclude<keyof PanelRouter['routesByPath'], '/dev/gallery'>;
type ListedPath = (typeof panelPaths)[number];
/** Compiles only if every mounted path is listed: the server answers any other with 404. */
void (true satisfies [Exclude<MountedPath, ListedPath>] extends [never] ? true : Exclude<MountedPath, ListedPath>);
/** Compiles only if every listed path is mounted. */
void (true satisfies [Exclude<ListedPath, MountedPath>] extends [never] ? true : Exclude<ListedPath, MountedPath>);

declare module '@tanstack/react-router' {
  interface Register {
    router: PanelRouter;
  }
}
