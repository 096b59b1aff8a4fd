import { queryOptions, useQueryClient, useSuspenseQuery, type QueryClient } from '@tanstack/react-query';
import { lockSession, readSession, savePreferences, signOut, type Session } from '#contract/sign-in.ts';
import { boot } from './boot.ts';
import { call, CallError, forgetAnswers, setOffice, type BodyOf } from './call.ts';
import { learnServerTime } from './clock.ts';

export type { Session };
export type Preferences = BodyOf<typeof savePreferences>;

const officeKey = 'anteroom.office';
const signedOutElsewhere = 'anteroom.signed-out';

/** Who is signed in, at which office, and where the gate leads. The server may have written it into the page. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  // Without the signal: the router waits for this answer even when no component shows it yet.
  queryFn: async () => learn(await call(readSession)),
  initialData: () => carried(),
  staleTime: 60_000,
});

/** What the page carries, unless this tab works for another office than the one the server took. */
function carried(): Session | undefined {
  const { session } = boot<{ session: Session }>();
  const wanted = sessionStorage.getItem(officeKey);
  return session && (wanted === null || wanted === session.office?.id) ? session : undefined;
}

function learn(session: Session): Session {
  learnServerTime(session.now);
  return session;
}

/** The session on screen; the router has loaded it before any page is shown. */
export function useSession(): Session {
  return useSuspenseQuery(sessionQuery).data;
}

/** This tab works for one office; two tabs may show two. Call before the first request. */
export function rememberOffice(): void {
  setOffice(sessionStorage.getItem(officeKey));
}

/** Shows another of the person's offices in this tab. */
export function switchOffice(id: string): void {
  workFor(id);
  location.assign('/');
}

/** This tab works for another of the person's offices from now on; look the session up anew afterwards. */
export function workFor(id: string): void {
  sessionStorage.setItem(officeKey, id);
  setOffice(id);
}

/** Saves a choice of the person and shows it at once. Signed out, or with no server in reach, it holds for this page only. */
export function useSavePreference(): (choice: Preferences) => Promise<void> {
  const cache = useQueryClient();
  return async (choice) => {
    const session = cache.getQueryData(sessionQuery.queryKey);
    if (!session?.person) return;
    const person = { ...session.person, preferences: { ...session.person.preferences, ...choice } };
    cache.setQueryData(sessionQuery.queryKey, { ...session, person });
    const saved = await call(savePreferences, { body: choice }).catch(() => undefined);
    if (saved) cache.setQueryData(sessionQuery.queryKey, saved);
  };
}

/** Ends the session on the server, then leaves the page, so that neither memory nor Back keeps anything. Other tabs follow. */
export async function leave(cache: QueryClient): Promise<void> {
  await call(signOut).catch((error: unknown) => {
    if (!(error instanceof CallError) || error.status === 0) throw error;
  });
  localStorage.setItem(signedOutElsewhere, String(Date.now()));
  goOut(cache);
}

function goOut(cache: QueryClient): void {
  forgetAnswers();
  cache.clear();
  sessionStorage.removeItem(officeKey);
  location.replace('/');
}

/** Locks the panel now, for a desk left alone. */
export async function lock(cache: QueryClient): Promise<void> {
  await call(lockSession);
  await cache.invalidateQueries({ queryKey: sessionQuery.queryKey });
}

/** Drops every patient's data from memory: behind the lock and after the session nothing of it may be left. */
export function forgetPatients(cache: QueryClient): void {
  forgetAnswers();
  cache.removeQueries({ predicate: ({ queryKey: [what] }) => what !== 'session' && what !== 'config' });
}

/** Leaves when another tab signed out, and loads afresh when Back brings a stored page of a session. */
export function watchSession(cache: QueryClient): void {
  window.addEventListener('storage', (event) => event.key === signedOutElsewhere && goOut(cache));
  window.addEventListener('pageshow', (event) => event.persisted && location.reload());
}

/** A 401 means the session ended or locked: look who is signed in now, the router does the rest. */
export function noticeRefusal(cache: QueryClient, error: unknown): void {
  if (error instanceof CallError && error.status === 401)
    void cache.invalidateQueries({ queryKey: sessionQuery.queryKey });
}
