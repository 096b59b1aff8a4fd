import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router';
import { googleReturnPath } from '#contract/sign-in/google.ts';
import type { panelPaths } from '#contract/panel-paths.ts';
import { mayEnterOffice } from '#contract/sign-in/gate.ts';
import { readAuditSearch } from '#web/panel/features/audit/audit-search.ts';
import { readFormsSearch } from '#web/panel/features/forms/forms-search.ts';
import { readQueueAddress } from '#web/panel/features/queue/queue-address.ts';
import { prefetchQueue } from '#web/panel/features/queue/use-queue.ts';
import { sessionQuery, type Session } from '#web/kit/session.ts';
import { FailedScreen } from './failed-screen.tsx';
import { FormsScreen, fetchForms } from '#web/panel/features/forms/forms-screen.tsx';
import { EntryPage } from './entry/entry-page.tsx';
import { LoadingScreen } from './loading-screen.tsx';
import { NotFoundPage } from './not-found.tsx';
import { pathToOpen } from './tabs.ts';
import { parseSearch, stringifySearch } from './search-params.ts';
import { Shell } from './shell.tsx';

/** Not with the panel's first load: it is for newcomers only. */
const partnerQueries = () => import('#web/panel/features/partner/use-partner.ts');

/** What a person began at the partner's door; null too where it cannot be asked for now. */
async function partnerApplication(cache: QueryClient, personId: string) {
  try {
    return await cache.ensureQueryData((await partnerQueries()).applicationQuery(personId));
  } catch {
    return null;
  }
}

interface Context {
  cache: QueryClient;
}

/** Every page knows who is signed in before it is shown. */
const root = createRootRouteWithContext<Context>()({
  beforeLoad: async ({ context }) => ({ session: await context.cache.ensureQueryData(sessionQuery) }),
  notFoundComponent: NotFoundPage,
});

/** The gate: sign-in and what must be done before the dashboards; who has done it all is led on. */
const entry = createRoute({
  getParentRoute: () => root,
  path: '/',
  validateSearch: ({ door }: Record<string, unknown>): { door?: 'regular' } => (door === 'regular' ? { door } : {}),
  beforeLoad: async ({ context: { cache, session }, search }) => {
    const { gate, person } = session;
    if (gate.to !== '/') throw redirect({ to: pathToOpen(gate.to), replace: true });
    if (gate.because !== 'no-office' || !person || search.door) return;
    if (await partnerApplication(cache, person.id)) throw redirect({ to: '/chadis', replace: true });
  },
  component: EntryPage,
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
  validateSearch: readQueueAddress,
  // Asked for while the room is on its way, once; from then on the room asks by itself.
  staleTime: Infinity,
  loader: ({ context: { cache, session } }) => {
    if (!session.flags.disableCheckin) prefetchQueue(cache);
  },
  component: lazyRouteComponent(() => import('./dashboard-page.tsx'), 'DashboardPage'),
});

const settings = createRoute({
  getParentRoute: () => office,
  path: '/dashboard/settings',
  component: lazyRouteComponent(() => import('#web/panel/app/settings/settings-page.tsx'), 'SettingsPage'),
});

const queueSettings = createRoute({
  getParentRoute: () => office,
  path: '/dashboard/settings/queue',
  component: lazyRouteComponent(
    () => import('#web/panel/features/practice/queue-settings-page.tsx'),
    'QueueSettingsPage',
  ),
});

const formsSettings = createRoute({
  getParentRoute: () => office,
  path: '/dashboard/settings/forms',
  component: lazyRouteComponent(() => import('./settings/forms-settings.tsx'), 'FormsSettingsScreen'),
});

const languages = createRoute({
  getParentRoute: () => office,
  path: '/dashboard/settings/languages',
  component: lazyRouteComponent(() => import('#web/panel/features/preferences/languages-page.tsx'), 'LanguagesPage'),
});

const preferences = createRoute({
  getParentRoute: () => office,
  path: '/dashboard/settings/preferences',
  component: lazyRouteComponent(
    () => import('#web/panel/features/preferences/preferences-page.tsx'),
    'PreferencesPage',
  ),
});

const poster = createRoute({
  getParentRoute: () => office,
  path: '/dashboard/settings/poster',
  component: lazyRouteComponent(() => import('#web/panel/features/practice/poster-page.tsx'), 'PosterPage'),
});

const details = createRoute({
  getParentRoute: () => office,
  path: '/dashboard/settings/office',
  component: lazyRouteComponent(() => import('#web/panel/features/practice/details-page.tsx'), 'DetailsPage'),
});

const notifications = createRoute({
  getParentRoute: () => office,
  path: '/dashboard/settings/notifications',
  component: lazyRouteComponent(
    () => import('#web/panel/features/preferences/notifications-page.tsx'),
    'NotificationsPage',
  ),
});

const confirmation = createRoute({
  getParentRoute: () => office,
  path: '/dashboard/settings/confirmation',
  component: lazyRouteComponent(
    () => import('#web/panel/features/confirmation/confirmation-page.tsx'),
    'ConfirmationPage',
  ),
});

const support = createRoute({
  getParentRoute: () => office,
  path: '/dashboard/settings/live-customer-support',
  component: lazyRouteComponent(() => import('#web/panel/features/support/support-page.tsx'), 'SupportPage'),
});

const team = createRoute({
  getParentRoute: () => office,
  path: '/dashboard/settings/team',
  component: lazyRouteComponent(() => import('./settings/team-settings.tsx'), 'TeamSettings'),
});

const security = createRoute({
  getParentRoute: () => office,
  path: '/dashboard/settings/security',
  component: lazyRouteComponent(() => import('./settings/security-settings.tsx'), 'SecuritySettings'),
});

const audit = createRoute({
  getParentRoute: () => office,
  path: '/dashboard/settings/audit',
  validateSearch: readAuditSearch,
  component: lazyRouteComponent(() => import('./settings/audit-settings.tsx'), 'AuditSettings'),
});

const formTypes = createRoute({
  getParentRoute: () => office,
  path: '/dashboard/form-types',
  beforeLoad: ({ context: { session } }) => {
    if (session.flags.useOldFormsScreen) throw redirect({ to: '/dashboard/forms', replace: true });
  },
  component: lazyRouteComponent(() => import('#web/panel/features/forms/form-types-page.tsx'), 'FormTypesPage'),
});

const forms = createRoute({
  getParentRoute: () => office,
  path: '/dashboard/forms',
  validateSearch: readFormsSearch,
  staleTime: Infinity,
  loader: ({ context: { session } }) => fetchForms(session),
  component: FormsScreen,
});

/** The partner's pages; how they look is known before any of them is shown. */
const partner = createRoute({
  getParentRoute: () => root,
  id: 'partner',
  loader: async ({ context: { cache } }) => cache.ensureQueryData((await partnerQueries()).brandQuery),
});

/** Practice info, for a newcomer or for another location; an office that waits for its agreement goes on there. */
const partnerStart = createRoute({
  getParentRoute: () => partner,
  path: '/chadis',
  beforeLoad: ({ context: { session } }) => {
    if (session.gate.to === '/chadis/signhipaa') throw redirect({ to: '/chadis/signhipaa', replace: true });
  },
  loader: async ({ context: { cache, session } }) => {
    if (session.person) await partnerApplication(cache, session.person.id);
  },
  component: lazyRouteComponent(() => import('./entry/partner-pages.tsx'), 'PartnerStartPage'),
});

/** Signed, it leads on to the last step by itself. */
const partnerSigning = createRoute({
  getParentRoute: () => partner,
  path: '/chadis/signhipaa',
  beforeLoad: ({ context: { session } }) => {
    if (session.gate.because === 'locked' || session.gate.to === '/chadis/signhipaa') return;
    throw redirect({ to: session.office?.hellosignComplete ? '/chadis/laststep' : '/', replace: true });
  },
  component: lazyRouteComponent(() => import('./entry/partner-pages.tsx'), 'PartnerSigningPage'),
});

const partnerLast = createRoute({
  getParentRoute: () => partner,
  path: '/chadis/laststep',
  beforeLoad: ({ context: { session } }) => {
    if (!session.office?.hellosignComplete) throw redirect({ to: '/', replace: true });
  },
  component: lazyRouteComponent(() => import('./entry/partner-pages.tsx'), 'PartnerLastStepPage'),
});

const partnerError = createRoute({
  getParentRoute: () => partner,
  path: '/chadis/error',
  component: lazyRouteComponent(() => import('./entry/partner-pages.tsx'), 'PartnerErrorPage'),
});

/** The practice form again, for who has an office already. */
const newLocation = createRoute({
  getParentRoute: () => root,
  path: '/locations/new',
  beforeLoad: ({ context: { session } }) => {
    if (!session.office || session.gate.because === 'locked') throw redirect({ to: '/', replace: true });
  },
  component: lazyRouteComponent(() => import('./entry/new-location-page.tsx'), 'NewLocationPage'),
});

/** What an invitation's link opens. */
const join = createRoute({
  getParentRoute: () => root,
  path: '/join/$token',
  component: lazyRouteComponent(() => import('./entry/join-page.tsx'), 'JoinPage'),
});

/** The open invitations of a person who is signed in. */
const invitations = createRoute({
  getParentRoute: () => root,
  path: '/join',
  beforeLoad: ({ context: { session } }) => {
    if (!session.person) throw redirect({ to: '/', replace: true });
  },
  component: lazyRouteComponent(() => import('./entry/join-page.tsx'), 'InvitationsPage'),
});

const googleReturn = createRoute({
  getParentRoute: () => root,
  path: googleReturnPath,
  component: lazyRouteComponent(() => import('./entry/google-return-page.tsx'), 'GoogleReturnPage'),
});

const agreement = createRoute({
  getParentRoute: () => office,
  path: '/dashboard/settings/agreement',
  component: lazyRouteComponent(() => import('./settings/agreement-settings.tsx'), 'AgreementSettings'),
});

/** Every part in every state, for whoever changes a part; only on the development server. */
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
  entry,
  office.addChildren([
    dashboard,
    formTypes,
    forms,
    settings,
    queueSettings,
    formsSettings,
    languages,
    preferences,
    poster,
    team,
    security,
    agreement,
    audit,
    details,
    notifications,
    confirmation,
    support,
  ]),
  partner.addChildren([partnerStart, partnerSigning, partnerLast, partnerError]),
  newLocation,
  join,
  invitations,
  googleReturn,
  ...developerRoutes,
]);

/** A locked panel stays where it is: the shell shows the lock. */
const mayEnter = ({ person, office: of }: Session) => person !== null && mayEnterOffice(of);

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
/** Compiles only while every mounted address is listed: the server answers any other with 404. */
void (true satisfies [Exclude<MountedPath, ListedPath>] extends [never] ? true : Exclude<MountedPath, ListedPath>);
/** Compiles only while every listed address is mounted. */
void (true satisfies [Exclude<ListedPath, MountedPath>] extends [never] ? true : Exclude<ListedPath, MountedPath>);

declare module '@tanstack/react-router' {
  interface Register {
    router: PanelRouter;
  }
}
