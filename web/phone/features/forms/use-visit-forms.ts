import { useEffect, useSyncExternalStore } from 'react';
import { listVisitForms, type VisitForm, type VisitForms } from '#contract/forms/filling.ts';
import { call, CallError } from '#web/kit/call.ts';
import { idle } from '#web/kit/when-idle.ts';
import { onHint } from '#web/kit/live.ts';

/** The forms of the visit on screen, in memory only. */
let cachedForms: { token: string; forms: VisitForms } | null = null;
const watchers = new Set<() => void>();
let requestCount = 0;

const watch = (watcher: () => void) => {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
};

/** Prefetches nothing with the phone's data saver on, or while a form is being filled in. */
async function prefetchOnceIdle(token: string, forms: VisitForms): Promise<void> {
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  if (!navigator.onLine || connection?.saveData || allForms(forms).length === 0) return;
  await idle();
  if (location.pathname.includes('/forms/')) return;
  const { prefetchNextForm } = await import('./prefetch/prefetch-form.ts');
  await prefetchNextForm(token, forms);
}

/** Drops the list, and the answers of requests still under way. */
export function forgetForms(): void {
  requestCount++;
  cachedForms = null;
  for (const watcher of watchers) watcher();
}

const retryMs = 5_000;

/** Fetches the list again. If that fails, the old list stays; if the server was only busy (429), it retries. */
export async function refetchVisitForms(token: string): Promise<void> {
  const nth = ++requestCount;
  try {
    const forms = await call(listVisitForms, { params: { token } });
    if (nth < requestCount) return;
    cachedForms = { token, forms };
    for (const watcher of watchers) watcher();
    prefetchOnceIdle(token, forms).catch(() => undefined); // the form is fetched when it is opened
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    if (error.status !== 429) return;
    const waitMs = Math.max(retryMs, (error.retryAfterSeconds ?? 0) * 1000) + Math.random() * retryMs;
    setTimeout(() => nth === requestCount && void refetchVisitForms(token), waitMs);
  }
}

/** The forms of a visit by family member; null before the first answer. Follows the office's hints and the network's return. */
export function useVisitForms(token: string): VisitForms | null {
  const now = useSyncExternalStore(watch, () => cachedForms);
  useEffect(() => {
    const look = () => void refetchVisitForms(token);
    look();
    const unhear = onHint(({ type }) => type === 'checkin' && look());
    window.addEventListener('online', look);
    return () => {
      unhear();
      window.removeEventListener('online', look);
    };
  }, [token]);
  return now?.token === token ? now.forms : null;
}

/** Whether this party has one member only; false before the list is loaded. */
export const isOnlyMember = (token: string) => cachedForms?.token === token && cachedForms.forms.members.length === 1;

export type FamilyForm = VisitForm & { memberId: string; name: string };

/** Every form of every family member, in the order of the list. */
export function allForms(forms: VisitForms | null): FamilyForm[] {
  return (forms?.members ?? []).flatMap(({ memberId, name, forms: own }) =>
    own.map((form) => ({ ...form, memberId, name })),
  );
}
