import { queryOptions, useQueryClient, useSuspenseQuery, type QueryClient } from '@tanstack/react-query';
import { lockSession, readSession, savePreferences, signOut, type Session } from '#contract/sign-in/session.ts';
import { boot } from './boot.ts';
import { call, CallError, forgetReplies, setOffice, type BodyOf } from './call.ts';
import { learnServerTime } from './clock.ts';
import { forgetPushes } from './push-subscription.ts';
import { setOfficeSource, entryPathOf, officeIn } from './office-of-tab.ts';

export type { Session };
export type Preferences = BodyOf<typeof savePreferences>;

const signedOutElsewhere = 'anteroom.signed-out';

/** Who is signed in, at which office, and where the gate leads. The server may have embedded it in the page. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  // Without the signal: the router waits for this answer even if no component shows it yet.
  queryFn: async () => learn(await call(readSession)),
  initialData: () => embeddedSession(),
  staleTime: 60_000,
});

/** The session embedded in the page; the server used the same URL. */
function embeddedSession(): Session | undefined {
  const { session } = boot<{ session: Session }>();
  return session && learn(session);
}

/** From the first answer on, every call names the office: after a removal from it, no other office may appear in its place. */
function learn(session: Session): Session {
  learnServerTime(session.now);
  if (session.office) setTabOffice(session.office.id);
  return session;
}

/** The current session; the router loads it before any page is shown. */
export function useSession(): Session {
  return useSuspenseQuery(sessionQuery).data;
}

/** The tab's office, before the server has answered. */
let wanted: string | null = null;

/** Takes the tab's office from the URL. Call it before the first request. */
export function rememberOffice(cache: QueryClient): void {
  wanted = officeIn(location.search);
  setOffice(wanted);
  setOfficeSource(() => {
    const session = cache.getQueryData(sessionQuery.queryKey);
    return session?.office && session.offices.length === 1 ? null : wanted;
  });
}

/** Shows another of the person's offices in this tab. */
export function switchOffice(id: string): void {
  location.assign(entryPathOf(id));
}

/** Sets the tab's office; reload the session afterwards. */
function setTabOffice(id: string): void {
  wanted = id;
  setOffice(id);
}

/** Preferences the server has not confirmed yet, newest last. */
let unsaved: Preferences[] = [];
let saving: Promise<void> = Promise.resolve();

/**
 * Saves a preference and shows it at once. Requests are sent one at a time, and an answer never undoes a later choice. Signed out, or
 * without a connection, a choice applies to this page only.
 */
export function useSavePreference(): (choice: Preferences) => Promise<void> {
  const cache = useQueryClient();
  const show = (session: Session | undefined, choices: Preferences[]) => {
    if (!session?.person) return;
    const preferences = Object.assign({}, session.person.preferences, ...choices) as Record<string, unknown>;
    cache.setQueryData(sessionQuery.queryKey, { ...session, person: { ...session.person, preferences } });
  };
  return (choice) => {
    const session = cache.getQueryData(sessionQuery.queryKey);
    if (!session?.person) return Promise.resolve();
    unsaved.push(choice);
    show(session, [choice]);
    return (saving = saving.then(async () => {
      const saved = await call(savePreferences, { body: choice }).catch(() => undefined);
      unsaved = unsaved.filter((other) => other !== choice);
      if (saved) show(saved, unsaved);
    }));
  };
}

/** Ends the session on the server and navigates to `to`, so that neither memory nor Back keeps anything. Other tabs follow. */
export async function signOutAndLeave(cache: QueryClient, to = '/'): Promise<void> {
  await call(signOut).catch((error: unknown) => {
    if (!(error instanceof CallError) || error.status === 0) throw error;
  });
  localStorage.setItem(signedOutElsewhere, String(Date.now()));
  await forgetPushes();
  forgetSession(cache, to);
}

/** Clears the session's data and navigates to `to`. */
export function forgetSession(cache: QueryClient, to = '/'): void {
  forgetReplies();
  cache.clear();
  location.replace(to);
}

/** Locks the panel now, for an unattended desk. */
export async function lockPanel(cache: QueryClient): Promise<void> {
  await call(lockSession);
  await cache.invalidateQueries({ queryKey: sessionQuery.queryKey });
}

/** Clears all patient data from memory, for the lock and the end of a session. */
export function forgetPatients(cache: QueryClient): void {
  forgetReplies();
  cache.removeQueries({ predicate: ({ queryKey: [what] }) => what !== 'session' && what !== 'config' });
}

/** Leaves when another tab signs out, and reloads when Back restores a page of an ended session. */
export function watchSession(cache: QueryClient): void {
  cache.getQueryCache().subscribe(({ type, query }) => {
    const session = type === 'updated' && query.queryKey[0] === 'session' && (query.state.data as Session | undefined);
    if (session) learn(session);
  });
  window.addEventListener('storage', (event) => event.key === signedOutElsewhere && forgetSession(cache));
  window.addEventListener('pageshow', (event) => event.persisted && location.reload());
}

/** The session ended or locked, or its office now requires an authenticator app: reload the session, and the router does the rest. */
export function refetchSessionAfterRefusal(cache: QueryClient, error: unknown): void {
  if (error instanceof CallError && (error.status === 401 || error.code === 'authenticator_missing'))
    void cache.invalidateQueries({ queryKey: sessionQuery.queryKey });
}
