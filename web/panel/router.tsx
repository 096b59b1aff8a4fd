import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router';
import { mayEnterOffice } from '#contract/sign-in.ts';
import { readPlace } from '#web/features/queue/place.ts';
import { sessionQuery, type Session } from '#web/kit/session.ts';
import { FailedScreen } from './failed-screen.tsx';
import { FrontDoor } from './front-door.tsx';
import { LoadingScreen } from './loading-screen.tsx';
import { NotHere } from './not-here.tsx';
import { parseSearch, stringifySearch } from './search.ts';
import { Shell } from './shell.tsx';

interface Context {
  cache: QueryClient;
}

/** Every page knows who is signed in before it is shown. */
const root = createRootRouteWithContext<Context>()({
  beforeLoad: async ({ context }) => ({ session: await context.cache.ensureQueryData(sessionQuery) }),
  notFoundComponent: NotHere,
});

/** The gate: sign-in and what must be done before the dashboards. `gate.to` names more rooms than are built; all lead to the first. */
const frontDoor = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: ({ context: { session } }) => {
    if (mayEnter(session)) throw redirect({ to: '/dashboard', replace: true });
  },
  component: FrontDoor,
});

/** The office's rooms, inside the shell: only for a signed-in person whose office has signed the agreement. */
const office = createRoute({
  getParentRoute: () => root,
  id: 'office',
  beforeLoad: ({ context: { session } }) => {
    if (!mayEnter(session)) throw redirect({ to: '/', replace: true });
  },
  component: Shell,
});

const dashboard = createRoute({
  getParentRoute: () => office,
  path: '/dashboard',
  validateSearch: readPlace,
  component: lazyRouteComponent(() => import('./dashboard-page.tsx'), 'DashboardPage'),
});

const gallery = createRoute({
  getParentRoute: () => root,
  path: '/dev/gallery',
  component: lazyRouteComponent(() => import('#web/ui/gallery/gallery-page.tsx'), 'GalleryPage'),
});

const tree = root.addChildren([frontDoor, office.addChildren([dashboard]), gallery]);

const mayEnter = ({ person, gate, office: of }: Session) =>
  person !== null && gate.because !== 'locked' && mayEnterOffice(of);

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
export type PanelPath = '/' | '/dashboard';

declare module '@tanstack/react-router' {
  interface Register {
    router: PanelRouter;
  }
}
