import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { readDetailsSearch } from '#web/panel/features/ambulatory/details-search.ts';
import { readPatientsSearch } from '#web/panel/features/ambulatory/patients-search.ts';
import { readChatSearch } from '#web/panel/features/chat/chat-search.ts';
import { readDirectorySearch } from '#web/panel/features/directory/directory-search.ts';
import { readFormsSearch } from '#web/panel/features/forms/forms-search.ts';
import { FormsScreen, fetchForms } from '#web/panel/features/forms/forms-screen.tsx';
import { readInboxSearch } from '#web/panel/features/inbox/inbox-search.ts';
import { readQueueAddress } from '#web/panel/features/queue/page/queue-address.ts';
import { prefetchQueue } from '#web/panel/features/queue/visits/use-queue.ts';
import { fetchVisitPanel } from '#web/panel/features/queue/patient/use-visit-panel.ts';
import { office } from './office-route.ts';
import { isAmbulatoryOffice, isSmsOffice } from './tabs.ts';

const dashboard = createRoute({
  getParentRoute: () => office,
  path: '/dashboard',
  validateSearch: readQueueAddress,
  // An office in sms or ambulatory mode has no queue: the gate leads it to its own page. A locked panel keeps its page.
  beforeLoad: ({ context: { session } }) => {
    if (session.gate.because === 'sms-mode') throw redirect({ to: '/sms-dashboard', replace: true });
    if (isAmbulatoryOffice(session)) throw redirect({ to: '/dashboard/patients', replace: true });
  },
  // Fetched once, while the page's code loads; after that the page refetches by itself.
  staleTime: Infinity,
  loader: async ({ context: { cache, session }, location: { search } }) => {
    if (session.flags.disableCheckin) return;
    if ('visit' in search) fetchVisitPanel();
    await prefetchQueue(cache);
  },
  component: lazyRouteComponent(() => import('./dashboard-page.tsx'), 'DashboardPage'),
});

/** Without the Check-in tab, `/dashboard` is this page. An office in sms mode has the SMS dashboard instead. */
const engage = createRoute({
  getParentRoute: () => office,
  path: '/dashboard/engage',
  beforeLoad: ({ context: { session } }) => {
    if (isSmsOffice(session)) throw redirect({ to: '/sms-dashboard', replace: true });
    if (isAmbulatoryOffice(session)) throw redirect({ to: '/dashboard/patients', replace: true });
    if (session.flags.disableCheckin) throw redirect({ to: '/dashboard', replace: true });
  },
  component: lazyRouteComponent(() => import('#web/panel/features/engage/engage-page.tsx'), 'EngagePage'),
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

/** Patients after surgery are for offices in ambulatory mode. A locked panel keeps its page. */
const ambulatory = createRoute({
  getParentRoute: () => office,
  id: 'ambulatory',
  beforeLoad: ({ context: { session } }) => {
    const isLocked = session.gate.because === 'locked';
    if (!isAmbulatoryOffice(session) && !isLocked) throw redirect({ to: '/dashboard', replace: true });
  },
});

const patients = createRoute({
  getParentRoute: () => ambulatory,
  path: '/dashboard/patients',
  validateSearch: readPatientsSearch,
  component: lazyRouteComponent(() => import('#web/panel/features/ambulatory/patients-page.tsx'), 'PatientsPage'),
});

const patientDetails = createRoute({
  getParentRoute: () => ambulatory,
  path: '/dashboard/patient-details',
  validateSearch: readDetailsSearch,
  component: lazyRouteComponent(
    () => import('#web/panel/features/ambulatory/patient-details-page.tsx'),
    'PatientDetailsPage',
  ),
});

const surveys = createRoute({
  getParentRoute: () => ambulatory,
  path: '/dashboard/surveys',
  component: lazyRouteComponent(() => import('#web/panel/features/ambulatory/surveys-page.tsx'), 'SurveysPage'),
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

const chat = createRoute({
  getParentRoute: () => office,
  path: '/dashboard/chat',
  validateSearch: readChatSearch,
  component: lazyRouteComponent(() => import('#web/panel/features/chat/chat-page.tsx'), 'ChatPage'),
});

const patientList = createRoute({
  getParentRoute: () => office,
  path: '/dashboard/patient-list',
  validateSearch: readDirectorySearch,
  component: lazyRouteComponent(() => import('#web/panel/features/directory/patient-list-page.tsx'), 'PatientListPage'),
});

/** Only for an office that the payment provider knows, or knew. */
const transactions = createRoute({
  getParentRoute: () => office,
  path: '/dashboard/transactions',
  beforeLoad: ({ context: { session } }) => {
    if (!session.office?.hasTransactions) throw redirect({ to: '/dashboard', replace: true });
  },
  component: lazyRouteComponent(
    () => import('#web/panel/features/transactions/transactions-page.tsx'),
    'TransactionsPage',
  ),
});

/** The pages of the tab bar. */
export const dashboardRoutes = [
  dashboard,
  engage,
  formTypes,
  forms,
  smsDashboard.addChildren([sendSms, checkedIn, patientHistory]),
  ambulatory.addChildren([patients, patientDetails, surveys]),
  messages,
  chat,
  patientList,
  transactions,
] as const;
