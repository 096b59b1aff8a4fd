import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef } from 'react';
import { setLanguage } from '#web/kit/i18n.ts';
import { setSingleKeys } from '#web/kit/keyboard-shortcuts.ts';
import { setScheme } from '#web/kit/color-scheme.ts';
import { sessionQuery, type Session } from '#web/kit/session.ts';
import { toast } from '#web/panel/ui/toasts.ts';

/** Brings the signed-in person's language, colours and keys onto the page, and tells the router when someone else is signed in. */
export function ApplyPreferences({ onSession }: { onSession: () => void }) {
  const { data: session } = useQuery({ ...sessionQuery, enabled: false });
  const person = session?.person;
  const changed = useEffectEvent(onSession);

  const language = person?.language;
  const { theme, singleKeys } = (person?.preferences ?? {}) as {
    theme?: 'light' | 'dark' | 'auto';
    singleKeys?: boolean;
  };
  useEffect(() => {
    if (language) void setLanguage(language);
  }, [language]);
  useEffect(() => {
    if (theme) setScheme(theme);
  }, [theme]);
  useEffect(() => setSingleKeys(singleKeys ?? true), [singleKeys]);

  const gate = session && `${person?.id} ${session.office?.id} ${session.gate.because}`;
  const last = useRef(gate);
  useEffect(() => {
    if (gate !== last.current) changed();
    last.current = gate;
  }, [gate]);
  useTakenOff(session);
  return null;
}

/** Says so when the person of this page was taken off the office they had open. */
function useTakenOff(session: Session | undefined): void {
  const { t } = useLingui();
  const before = useRef<Session>(undefined);
  const notice = useEffectEvent((now: Session) => {
    const { person, office } = before.current ?? {};
    before.current = now;
    if (!office || person?.id !== now.person?.id || now.offices.some(({ id }) => id === office.id)) return;
    toast({ tone: 'amber', seconds: 30, title: t`You are no longer a member of ${office.officeName}` });
  });
  useEffect(() => {
    if (session) notice(session);
  }, [session]);
}
