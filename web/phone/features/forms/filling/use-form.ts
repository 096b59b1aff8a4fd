import { useEffect, useState, useSyncExternalStore } from 'react';
import type { FormSession, FormSessionState } from '#web/questionnaire/filled-form.ts';
import { openFormSession } from './form-session.ts';

const subscribeToNothing = () => () => {};
const loading = (): FormSessionState => 'loading';

/** Forms on screen, and forms just left whose last answers wait for the network. */
const openSessions = new Map<string, { session: FormSession; users: number }>();

/** Opens a form while it is on screen; `today` is the office's day. */
export function useForm(token: string, memberId: string, formType: string, today: string) {
  const [session, setSession] = useState<FormSession | null>(null);
  useEffect(() => {
    const key = [token, memberId, formType].join('/');
    const entry = openSessions.get(key) ?? { session: openFormSession({ token, memberId, formType }, today), users: 0 };
    openSessions.set(key, entry);
    entry.users++;
    setSession(entry.session);
    const leave = async () => {
      await entry.session.save();
      if (entry.users > 0) return;
      entry.session.stop();
      if (openSessions.get(key) === entry) openSessions.delete(key);
    };
    return () => {
      entry.users--;
      void leave();
    };
  }, [token, memberId, formType, today]);
  const state = useSyncExternalStore(session?.subscribe ?? subscribeToNothing, session?.state ?? loading);
  return { state, session };
}
