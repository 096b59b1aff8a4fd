import { msg } from '@lingui/core/macro';
import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { readAuditSearch } from '#web/panel/features/audit/audit-search.ts';
import { office } from '#web/panel/app/office-route.ts';

/** From this width on, every page of the settings has the rail, and the list of them would repeat it. */
const widthOfRail = '(min-width: 900px)';

const settings = createRoute({
  getParentRoute: () => office,
  path: '/dashboard/settings',
  beforeLoad: () => {
    if (matchMedia(widthOfRail).matches) throw redirect({ to: '/dashboard/settings/office', replace: true });
  },
  component: lazyRouteComponent(() => import('./settings-page.tsx'), 'SettingsPage'),
});

/** The frame around each page of the settings. */
const settingsLayout = createRoute({
  getParentRoute: () => office,
  id: 'settings',
  component: lazyRouteComponent(() => import('./settings-layout.tsx'), 'SettingsLayout'),
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

const chatSettings = createRoute({
  getParentRoute: () => settingsLayout,
  path: '/dashboard/settings/widget',
  staticData: { settings: { title: msg`Website chat` } },
  component: lazyRouteComponent(
    () => import('#web/panel/features/chat-settings/chat-settings-page.tsx'),
    'ChatSettingsPage',
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

const panels = createRoute({
  getParentRoute: () => settingsLayout,
  path: '/dashboard/settings/panels',
  staticData: { settings: { title: msg`Panels and screens` } },
  component: lazyRouteComponent(() => import('#web/panel/features/panels/panels-page.tsx'), 'PanelsPage'),
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

const agreement = createRoute({
  getParentRoute: () => settingsLayout,
  path: '/dashboard/settings/agreement',
  staticData: { settings: { title: msg`Agreement` } },
  component: lazyRouteComponent(() => import('#web/panel/features/agreement/agreement-page.tsx'), 'AgreementPage'),
});

const audit = createRoute({
  getParentRoute: () => settingsLayout,
  path: '/dashboard/settings/audit',
  staticData: { settings: { title: msg`Activity log`, wide: true } },
  validateSearch: readAuditSearch,
  component: lazyRouteComponent(() => import('#web/panel/features/audit/audit-page.tsx'), 'AuditPage'),
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

/** The list of settings, and each page of it. */
export const settingsRoutes = [
  settings,
  settingsLayout.addChildren([
    queueSettings,
    messageSettings,
    chatSettings,
    formsSettings,
    languages,
    preferences,
    poster,
    panels,
    team,
    security,
    agreement,
    audit,
    details,
    notifications,
    confirmation,
    support,
  ]),
] as const;
