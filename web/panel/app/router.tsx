import { msg } from '@lingui/core/macro';
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
import { readDirectorySearch } from '#web/panel/features/directory/directory-search.ts';
import { readFormsSearch } from '#web/panel/features/forms/forms-search.ts';
import { readInboxSearch } from '#web/panel/features/inbox/inbox-search.ts';
import { readReturnSearch } from '#web/panel/features/merchant/merchant-search.ts';
import { readQueueAddress } from '#web/panel/features/queue/queue-address.ts';
import { prefetchQueue } from '#web/panel/features/queue/use-queue.ts';
import { sessionQuery, type Session } from '#web/kit/session.ts';
import { FailedScreen } from './failed-screen.tsx';
import { FormsScreen, fetchForms } from '#web/panel/features/forms/forms-screen.tsx';
import { EntryPage } from './entry/entry-page.tsx';
import { LoadingScreen } from './loading-screen.tsx';
import { NotFoundPage } from './not-found.tsx';
import { isSmsOffice, pathToOpen } from './tabs.ts';
import { parseSearch, stringifySearch } from './search-params.ts';
import { Shell } from './shell.tsx';

/** Loaded on demand: only new practices need it. */
const partnerQueries = () => import('#web/panel/features/partner/use-partner.ts');

/** The application that this person started on the partner's pages; null also if it cannot be fetched now. */
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

/** Fetches the session before any page is shown. */
const root = createRootRouteWithContext<Context>()({
  beforeLoad: async ({ context }) => ({ session: await context.cache.ensureQueryData(sessionQuery) }),
  notFoundComponent: NotFoundPage,
});

/** Sign-in and every step before the dashboards. A person who has completed them is redirected. */
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

/** The office's pages, inside the shell: only for a signed-in person whose office has signed the agreement. */
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
  // An office in sms mode has no queue: the gate leads it to the SMS dashboard. A locked panel keeps its page.
  beforeLoad: ({ context: { session } }) => {
    if (session.gate.because === 'sms-mode') throw redirect({ to: '/sms-dashboard', replace: true });
  },
  // Fetched once, while the page's code loads; after that the page refetches by itself.
  staleTime: Infinity,
  loader: ({ context: { cache, session } }) => {
    if (!session.flags.disableCheckin) prefetchQueue(cache);
  },
  component: lazyRouteComponent(() => import('./dashboard-page.tsx'), 'DashboardPage'),
});

/** Without the Check-in tab, `/dashboard` is this page. */
const engage = createRoute({
  getParentRoute: () => office,
  path: '/dashboard/engage',
  beforeLoad: ({ context: { session } }) => {
    if (session.flags.disableCheckin) throw redirect({ to: '/dashboard', replace: true });
  },
  component: lazyRouteComponent(() => import('#web/panel/features/engage/engage-page.tsx'), 'EngagePage'),
});

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

const settings = createRoute({
  getParentRoute: () => office,
  path: '/dashboard/settings',
  component: lazyRouteComponent(() => import('#web/panel/app/settings/settings-page.tsx'), 'SettingsPage'),
});

/** The frame around each page of the settings. */
const settingsLayout = createRoute({
  getParentRoute: () => office,
  id: 'settings',
  component: lazyRouteComponent(() => import('./settings/settings-layout.tsx'), 'SettingsLayout'),
});

const queueSettings = createRoute({
  getParentRoute: () => settingsLayout,
  path: '/dashboard/settings/queue',
  staticData: { settings: { title: msg`Queue settings` } },
  component: lazyRouteComponent(
    () => import('#web/panel/features/practice/queue-settings-page.tsx'),
    'QueueSettingsPage',
  ),
});

const messageSettings = createRoute({
  getParentRoute: () => settingsLayout,
  path: '/dashboard/settings/messages',
  staticData: { settings: { title: msg`Message settings` } },
  component: lazyRouteComponent(
    () => import('#web/panel/features/message-settings/message-settings-page.tsx'),
    'MessageSettingsPage',
  ),
});

const formsSettings = createRoute({
  getParentRoute: () => settingsLayout,
  path: '/dashboard/settings/forms',
  staticData: { settings: { title: msg`Forms` } },
  component: lazyRouteComponent(
    () => import('#web/panel/features/forms-settings/forms-settings-page.tsx'),
    'FormsSettingsPage',
  ),
});

const languages = createRoute({
  getParentRoute: () => settingsLayout,
  path: '/dashboard/settings/languages',
  staticData: { settings: { title: msg`Languages` } },
  component: lazyRouteComponent(() => import('#web/panel/features/preferences/languages-page.tsx'), 'LanguagesPage'),
});

const preferences = createRoute({
  getParentRoute: () => settingsLayout,
  path: '/dashboard/settings/preferences',
  staticData: { settings: { title: msg`My preferences` } },
  component: lazyRouteComponent(
    () => import('#web/panel/features/preferences/preferences-page.tsx'),
    'PreferencesPage',
  ),
});

const poster = createRoute({
  getParentRoute: () => settingsLayout,
  path: '/dashboard/settings/poster',
  staticData: { settings: { title: msg`Check-in poster` } },
  component: lazyRouteComponent(() => import('#web/panel/features/practice/poster-page.tsx'), 'PosterPage'),
});

const details = createRoute({
  getParentRoute: () => settingsLayout,
  path: '/dashboard/settings/office',
  staticData: { settings: { title: msg`Office details` } },
  component: lazyRouteComponent(() => import('#web/panel/features/practice/details-page.tsx'), 'DetailsPage'),
});

const notifications = createRoute({
  getParentRoute: () => settingsLayout,
  path: '/dashboard/settings/notifications',
  staticData: { settings: { title: msg`Notifications` } },
  component: lazyRouteComponent(
    () => import('#web/panel/features/preferences/notifications-page.tsx'),
    'NotificationsPage',
  ),
});

const confirmation = createRoute({
  getParentRoute: () => settingsLayout,
  path: '/dashboard/settings/confirmation',
  staticData: { settings: { title: msg`Confirm your practice` } },
  component: lazyRouteComponent(
    () => import('#web/panel/features/confirmation/confirmation-page.tsx'),
    'ConfirmationPage',
  ),
});

const support = createRoute({
  getParentRoute: () => settingsLayout,
  path: '/dashboard/settings/live-customer-support',
  staticData: { settings: { title: msg`Live customer support` } },
  component: lazyRouteComponent(() => import('#web/panel/features/support/support-page.tsx'), 'SupportPage'),
});

const team = createRoute({
  getParentRoute: () => settingsLayout,
  path: '/dashboard/settings/team',
  staticData: { settings: { title: msg`Team` } },
  component: lazyRouteComponent(() => import('#web/panel/features/team/team-page.tsx'), 'TeamPage'),
});

const security = createRoute({
  getParentRoute: () => settingsLayout,
  path: '/dashboard/settings/security',
  staticData: { settings: { title: msg`Security` } },
  component: lazyRouteComponent(() => import('#web/panel/features/security/security-page.tsx'), 'SecurityPage'),
});

const audit = createRoute({
  getParentRoute: () => settingsLayout,
  path: '/dashboard/settings/audit',
  staticData: { settings: { title: msg`Audit log`, wide: true } },
  validateSearch: readAuditSearch,
  component: lazyRouteComponent(() => import('#web/panel/features/audit/audit-page.tsx'), 'AuditPage'),
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

/** The SMS dashboard is for offices in sms mode; the queue is for all others. */
const smsDashboard = createRoute({
  getParentRoute: () => office,
  id: 'sms',
  beforeLoad: ({ context: { session } }) => {
    if (!isSmsOffice(session)) throw redirect({ to: '/dashboard', replace: true });
  },
});

const sendSms = createRoute({
  getParentRoute: () => smsDashboard,
  path: '/sms-dashboard',
  component: lazyRouteComponent(() => import('#web/panel/features/sms/send-sms-page.tsx'), 'SendSmsPage'),
});

const checkedIn = createRoute({
  getParentRoute: () => smsDashboard,
  path: '/sms-dashboard/checked-in',
  component: lazyRouteComponent(() => import('#web/panel/features/sms/checked-in-page.tsx'), 'CheckedInPage'),
});

const patientHistory = createRoute({
  getParentRoute: () => smsDashboard,
  path: '/sms-dashboard/history',
  component: lazyRouteComponent(() => import('#web/panel/features/sms/history-page.tsx'), 'HistoryPage'),
});

const messages = createRoute({
  getParentRoute: () => office,
  path: '/dashboard/messages',
  validateSearch: readInboxSearch,
  beforeLoad: ({ context: { session } }) => {
    if (session.flags.sendSMSEnabled === false) throw redirect({ to: '/dashboard', replace: true });
  },
  component: lazyRouteComponent(() => import('#web/panel/features/inbox/messages-page.tsx'), 'MessagesPage'),
});

const patientList = createRoute({
  getParentRoute: () => office,
  path: '/dashboard/patient-list',
  validateSearch: readDirectorySearch,
  component: lazyRouteComponent(() => import('#web/panel/features/directory/patient-list-page.tsx'), 'PatientListPage'),
});

/** The partner's pages. Their brand is fetched before any of them is shown. */
const partner = createRoute({
  getParentRoute: () => root,
  id: 'partner',
  loader: async ({ context: { cache } }) => cache.ensureQueryData((await partnerQueries()).brandQuery),
});

/** Practice info, for a new practice or another location. An office without a signed agreement is redirected to it. */
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

/** Redirects to the last step once the agreement is signed. */
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

/** The practice form again, for a person who already has an office. */
const newLocation = createRoute({
  getParentRoute: () => root,
  path: '/locations/new',
  beforeLoad: ({ context: { session } }) => {
    if (!session.office || session.gate.because === 'locked') throw redirect({ to: '/', replace: true });
  },
  component: lazyRouteComponent(() => import('./entry/new-location-page.tsx'), 'NewLocationPage'),
});

/** The page that an invitation's link opens. */
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
  getParentRoute: () => settingsLayout,
  path: '/dashboard/settings/agreement',
  staticData: { settings: { title: msg`Agreement` } },
  component: lazyRouteComponent(() => import('#web/panel/features/agreement/agreement-page.tsx'), 'AgreementPage'),
});

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
  entry,
  office.addChildren([
    dashboard,
    engage,
    formTypes,
    forms,
    smsDashboard.addChildren([sendSms, checkedIn, patientHistory]),
    messages,
    patientList,
    apply,
    finixForms,
    settings,
    settingsLayout.addChildren([
      queueSettings,
      messageSettings,
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
  ]),
  partner.addChildren([partnerStart, partnerSigning, partnerLast, partnerError]),
  newLocation,
  join,
  invitations,
  googleReturn,
  ...developerRoutes,
]);

/** A locked panel keeps its address: the shell shows the lock screen. */
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
/** Compiles only if every mounted path is listed: the server answers any other with 404. */
void (true satisfies [Exclude<MountedPath, ListedPath>] extends [never] ? true : Exclude<MountedPath, ListedPath>);
/** Compiles only if every listed path is mounted. */
void (true satisfies [Exclude<ListedPath, MountedPath>] extends [never] ? true : Exclude<ListedPath, MountedPath>);

declare module '@tanstack/react-router' {
  interface Register {
    router: PanelRouter;
  }
}
