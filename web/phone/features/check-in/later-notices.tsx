import { whenIdle } from '#web/kit/when-idle.ts';
import { later } from '#web/phone/ui/later.tsx';
import { Loading } from '#web/phone/ui/loading.tsx';

/** What stands in the place of the check-in's form. Most patients never see it, so it is loaded after the form. */
async function loadNotices() {
  const { notices, loadMessages } = await import('./notices/index.ts');
  await loadMessages();
  return notices;
}

/** Loads the notices while nothing else happens: without a network the result of a check-in must be said too. */
export const prefetchNotices = async (): Promise<void> => {
  await whenIdle();
  await loadNotices().catch(() => undefined);
};

export const LinkTexted = later(async () => (await loadNotices()).LinkTexted);
export const OfficeClosed = later(async () => (await loadNotices()).OfficeClosed);
export const OfficeNotFound = later(async () => (await loadNotices()).OfficeNotFound, <Loading />);
export const PageNotFound = later(async () => (await loadNotices()).PageNotFound, <Loading />);
export const WelcomeBack = later(async () => (await loadNotices()).WelcomeBack, <Loading />);
