import { later } from '#web/phone/ui/later.tsx';

/** What stands in the place of the check-in's form. Most patients never see it, so it is loaded when it is needed. */
async function loadNotices() {
  const { notices, loadMessages } = await import('./notices/index.ts');
  await loadMessages();
  return notices;
}

export const LinkTexted = later(async () => (await loadNotices()).LinkTexted);
export const OfficeClosed = later(async () => (await loadNotices()).OfficeClosed);
export const OfficeNotFound = later(async () => (await loadNotices()).OfficeNotFound);
export const PageNotFound = later(async () => (await loadNotices()).PageNotFound);
export const WelcomeBack = later(async () => (await loadNotices()).WelcomeBack);
