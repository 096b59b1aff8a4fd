import { at, panelPicture } from './picture.ts';

const pages = [
  'office',
  'queue',
  'messages',
  'widget',
  'forms',
  'languages',
  'preferences',
  'notifications',
  'poster',
  'panels',
  'team',
  'security',
  'agreement',
  'audit',
  'confirmation',
  'live-customer-support',
];

panelPicture('settings', 'dana', at('/dashboard/settings'));
for (const page of pages) panelPicture(`settings-${page}`, 'dana', at(`/dashboard/settings/${page}`));
panelPicture('settings-panels-old-screen', 'ruth', at('/dashboard/settings/panels'));
panelPicture('settings-messages-ambulatory', 'theo', at('/dashboard/settings/messages'));
