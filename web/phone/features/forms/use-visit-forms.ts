import { useEffect } from 'react';
import { listVisitForms, type VisitForm, type VisitForms } from '#contract/forms/filling.ts';
import type { PatientBoot } from '#contract/patient/page-boot.ts';
import { boot } from '#web/kit/boot.ts';
import { call, CallError, rememberReply } from '#web/kit/call.ts';
import { pollMs, startPolling } from '#web/kit/poll.ts';
import { whenIdle } from '#web/kit/when-idle.ts';
import { hintsArrive, onHint } from '#web/kit/live.ts';
import { createStore, useStore } from '#web/kit/store.ts';

/** The visit that the page was opened for, and the forms that the server wrote into the page with it. */
const [, , firstToken = ''] = location.pathname.split('/');
const { forms: firstForms, formsEtag } = boot<PatientBoot>();
/** The forms of the visit on screen, in memory only. */
const cachedForms = createStore<{ token: string; forms: VisitForms } | null>(
  firstForms ? { token: firstToken, forms: firstForms } : null,
);
if (firstForms && formsEtag !== undefined)
  rememberReply(listVisitForms, { params: { token: firstToken } }, { etag: formsEtag, data: firstForms });
/** Nothing has asked for the forms since the server wrote them into the page. */
let isPageListNew = Boolean(firstForms);
let requestCount = 0;
/** The request whose answer is on screen, or the last one before the list was dropped. */
let shownRequest = 0;

/** Prefetches nothing with the phone's data saver on, or while a form is being filled in. */
async function prefetchOnceIdle(token: string, forms: VisitForms): Promise<void> {
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  if (!navigator.onLine || connection?.saveData || allForms(forms).length === 0) return;
  await whenIdle();
  if (location.pathname.includes('/forms/')) return;
  const { prefetchNextForm } = await import('./prefetch/prefetch-form.ts');
  await prefetchNextForm(token, forms);
}

/** Drops the list, and the answers of requests still under way. */
export function forgetForms(): void {
  shownRequest = ++requestCount;
  cachedForms.set(null);
}

const retryMs = 5_000;

/** Fetches the list again. If that fails, the old list stays; if the server was only busy (429), it retries. */
export async function refetchVisitForms(token: string): Promise<void> {
  const nth = ++requestCount;
  try {
    const forms = await call(listVisitForms, { params: { token } });
    if (nth < shownRequest) return;
    shownRequest = nth;
    cachedForms.set({ token, forms });
    prefetchOnceIdle(token, forms).catch(() => undefined); // the form is fetched when it is opened
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    if (error.status !== 429) return;
    const waitMs = Math.max(retryMs, (error.retryAfterSeconds ?? 0) * 1000) + Math.random() * retryMs;
    setTimeout(() => nth === requestCount && void refetchVisitForms(token), waitMs);
  }
}

/** The forms of a visit by family member; null before the first answer. */
export function useShownForms(token: string): VisitForms | null {
  const now = useStore(cachedForms);
  return now?.token === token ? now.forms : null;
}

/** Like `useShownForms`; follows the office's hints and the network's return too, and reads by itself in case a hint is lost. */
export function useVisitForms(token: string): VisitForms | null {
  useEffect(() => {
    // Forms that were requested before the connection opened send no hint here. Until then, the list in the page is new enough.
    const isNew = isPageListNew && token === firstToken && !hintsArrive.get();
    isPageListNew = false;
    const poll = () => refetchVisitForms(token).then(() => pollMs);
    const polling = startPolling(poll, isNew ? pollMs : 0);
    const unsubscribe = onHint(({ type }) => ['checkin', 'opened', 'refetch'].includes(type) && polling.now());
    return () => {
      unsubscribe();
      polling.stop();
    };
  }, [token]);
  return useShownForms(token);
}

/** Whether this party has one member only; false before the list is loaded. */
export function isOnlyMember(token: string): boolean {
  const cached = cachedForms.get();
  return cached?.token === token && cached.forms.members.length === 1;
}

export type FamilyForm = VisitForm & { memberId: string; name: string };

/** Every form of every family member, in the order of the list. */
export function allForms(forms: VisitForms | null): FamilyForm[] {
  return (forms?.members ?? []).flatMap(({ memberId, name, forms: own }) =>
    own.map((form) => ({ ...form, memberId, name })),
  );
}

/** The forms that are not submitted yet. */
export const unfinishedForms = (forms: VisitForms | null): FamilyForm[] =>
  allForms(forms).filter(({ state }) => state !== 'submitted');
