import { googleReturnPath } from './sign-in/google.ts';

/**
 * Every path of the office panel; `$name` stands for one segment. The router mounts exactly these. The server answers them with the panel's
 * page, and every other path with 404.
 */
export const panelPaths = [
  '/',
  '/apply',
  '/chadis',
  '/chadis/error',
  '/chadis/laststep',
  '/chadis/signhipaa',
  '/dashboard',
  '/dashboard/engage',
  '/dashboard/form-types',
  '/dashboard/forms',
  '/dashboard/messages',
  '/dashboard/patient-list',
  '/dashboard/settings',
  '/dashboard/settings/agreement',
  '/dashboard/settings/audit',
  '/dashboard/settings/confirmation',
  '/dashboard/settings/forms',
  '/dashboard/settings/languages',
  '/dashboard/settings/live-customer-support',
  '/dashboard/settings/messages',
  '/dashboard/settings/notifications',
  '/dashboard/settings/office',
  '/dashboard/settings/poster',
  '/dashboard/settings/preferences',
  '/dashboard/settings/queue',
  '/dashboard/settings/security',
  '/dashboard/settings/team',
  '/dashboard/transactions',
  '/finix-forms',
  '/join',
  '/join/$token',
  '/locations/new',
  googleReturnPath,
  '/sms-dashboard',
  '/sms-dashboard/checked-in',
  '/sms-dashboard/history',
] as const;
