import { whenIdle } from '#web/kit/when-idle.ts';
import { later } from '#web/phone/ui/later.tsx';
import { Loading } from '#web/phone/ui/loading.tsx';

/** What stands in the place of the check-in's form. Few patients see it; the server tells it, so there is a network to load it with. */
async function loadNotices() {
  const { notices, loadMessages } = await import('./notices/index.ts');
  await loadMessages();
  return notices;
}

async function loadLinkTexted() {
  const { LinkTexted, loadMessages } = await import('./link-texted/index.ts');
  await loadMessages();
  return LinkTexted;
}

/** Loads the notice while nothing else happens: without a network the result of a check-in must be said too. */
export const prefetchLinkTexted = async (): Promise<void> => {
  await whenIdle();
  await loadLinkTexted().catch(() => undefined);
};

export const LinkTexted = later(loadLinkTexted);
export const OfficeClosed = later(async () => (await loadNotices()).OfficeClosed);
export const OfficeNotFound = later(async () => (await loadNotices()).OfficeNotFound, <Loading />);
export const PageNotFound = later(async () => (await loadNotices()).PageNotFound, <Loading />);
export const WelcomeBack = later(async () => (await loadNotices()).WelcomeBack, <Loading />);
