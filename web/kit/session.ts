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

/** Who is signed in, at which office, and where the gate leads. The server may have written it into the page. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  // Without the signal: the router waits for this answer even when no component shows it yet.
  queryFn: async () => learn(await call(readSession)),
  initialData: () => carried(),
  staleTime: 60_000,
});

/** What the page carries: the server read the same address. */
function carried(): Session | undefined {
  const { session } = boot<{ session: Session }>();
  return session && learn(session);
}

/** From the first answer on every call names the office: being taken off it must not show another one in its place. */
function learn(session: Session): Session {
  learnServerTime(session.now);
  if (session.office) setTabOffice(session.office.id);
  return session;
}

/** The session on screen; the router has loaded it before any page is shown. */
export function useSession(): Session {
  return useSuspenseQuery(sessionQuery).data;
}

/** The office this tab works for, as far as is known before the server has answered. */
let wanted: string | null = null;

/** This tab works for the office its address names. Call before the first request. */
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

/** This tab works for another of the person's offices from now on; look the session up anew afterwards. */
function setTabOffice(id: string): void {
  wanted = id;
  setOffice(id);
}

/** Choices that the server has not answered yet, newest last; several may be on their way. */
let unsaved: Preferences[] = [];
let saving: Promise<void> = Promise.resolve();

/**
 * Saves a choice of the person and shows it at once. One is sent after the other, and an answer never takes back what was chosen
 * after it was asked for. Signed out, or with no server in reach, a choice holds for this page only.
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

/** Ends the session on the server, then leaves the page for `to`, so that neither memory nor Back keeps anything. Other tabs follow. */
export async function signOutAndLeave(cache: QueryClient, to = '/'): Promise<void> {
  await call(signOut).catch((error: unknown) => {
    if (!(error instanceof CallError) || error.status === 0) throw error;
  });
  localStorage.setItem(signedOutElsewhere, String(Date.now()));
  await forgetPushes();
  forgetSession(cache, to);
}

/** Forgets everything of the session and leaves the page for `to`. */
export function forgetSession(cache: QueryClient, to = '/'): void {
  forgetReplies();
  cache.clear();
  location.replace(to);
}

/** Locks the panel now, for a desk left alone. */
export async function lock(cache: QueryClient): Promise<void> {
  await call(lockSession);
  await cache.invalidateQueries({ queryKey: sessionQuery.queryKey });
}

/** Drops every patient's data from memory: behind the lock and after the session nothing of it may be left. */
export function forgetPatients(cache: QueryClient): void {
  forgetReplies();
  cache.removeQueries({ predicate: ({ queryKey: [what] }) => what !== 'session' && what !== 'config' });
}

/** Leaves when another tab signed out, and loads afresh when Back brings a stored page of a session. */
export function watchSession(cache: QueryClient): void {
  cache.getQueryCache().subscribe(({ type, query }) => {
    const session = type === 'updated' && query.queryKey[0] === 'session' && (query.state.data as Session | undefined);
    if (session) learn(session);
  });
  window.addEventListener('storage', (event) => event.key === signedOutElsewhere && forgetSession(cache));
  window.addEventListener('pageshow', (event) => event.persisted && location.reload());
}

/** The session ended or locked, or its office asks for an authenticator app by now: look who is signed in, the router does the rest. */
export function noticeRefusal(cache: QueryClient, error: unknown): void {
  if (error instanceof CallError && (error.status === 401 || error.code === 'authenticator_missing'))
    void cache.invalidateQueries({ queryKey: sessionQuery.queryKey });
}
