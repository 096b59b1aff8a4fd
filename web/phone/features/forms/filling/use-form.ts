import { useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react';
import type { FormSession, FormSessionState } from '#web/questionnaire/filled-form.ts';
import { openFormSession } from './form-session.ts';
import type { FormCalls } from './session-context.ts';

const subscribeToNothing = () => () => {};
const loading = (): FormSessionState => 'loading';

/** Forms on screen, and forms just left whose last answers wait for the network. */
const openSessions = new Map<string, { session: FormSession; users: number }>();

/** Opens a form while it is on screen. `key` is the form's address; the day and the time zone are the office's. */
export function useForm(key: string, callsOf: () => FormCalls, clock: { today: string; timeZone: string }) {
  const { today } = clock;
  const [session, setSession] = useState<FormSession | null>(null);
  const open = useEffectEvent(() => openFormSession(callsOf(), clock));
  useEffect(() => {
    const entry = openSessions.get(key) ?? { session: open(), users: 0 };
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
  }, [key, today]);
  const state = useSyncExternalStore(session?.subscribe ?? subscribeToNothing, session?.state ?? loading);
  return { state, session };
}
