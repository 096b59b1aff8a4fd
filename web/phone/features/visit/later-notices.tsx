import { later } from '#web/phone/ui/later.tsx';
import { Loading } from '#web/phone/ui/loading.tsx';
import css from './later-notices.module.css';

/** What few visits show, or show at their end. What they tell comes from the server, so there is a network to load them with. */
async function loadNotices() {
  const { notices, loadMessages } = await import('./notices/index.ts');
  await loadMessages();
  return notices;
}

export const HiddenPayment = later(async () => (await loadNotices()).HiddenPayment);
export const HiddenTexts = later(async () => (await loadNotices()).HiddenTexts);
export const Leaving = later(async () => (await loadNotices()).Leaving);
export const LinkEnded = later(async () => (await loadNotices()).LinkEnded, <Loading />);
export const StatusOnly = later(async () => (await loadNotices()).StatusOnly, <div className={css.space} />);
export const VisitOver = later(async () => (await loadNotices()).VisitOver, <div className={css.space} />);
