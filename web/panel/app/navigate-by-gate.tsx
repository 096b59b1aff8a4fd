import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef } from 'react';
import { sessionQuery, type Session } from '#web/kit/session.ts';
import { toast } from '#web/panel/ui/toasts.ts';

/**
 * Navigates after sign-in, sign-out, unlocking and every other step of the gate: `onGateChange` runs the routes' `beforeLoad` again,
 * which redirect to where the gate leads. Runs when the person, the office or the gate's reason differs from the last session.
 */
export function NavigateByGate({ onGateChange }: { onGateChange: () => void }) {
  const { data: session } = useQuery({ ...sessionQuery, enabled: false });
  const notify = useEffectEvent(onGateChange);

  const gate = session && `${session.person?.id} ${session.office?.id} ${session.gate.because}`;
  const lastGate = useRef(gate);
  useEffect(() => {
    if (gate !== lastGate.current) notify();
    lastGate.current = gate;
  }, [gate]);
  useRemovedFromOfficeToast(session);
  return null;
}

/** Shows a toast when a colleague removed this person from the office that was open. */
function useRemovedFromOfficeToast(session: Session | undefined): void {
  const { t } = useLingui();
  const lastSession = useRef<Session>(undefined);
  const notify = useEffectEvent((now: Session) => {
    const { person, office } = lastSession.current ?? {};
    lastSession.current = now;
    if (!office || person?.id !== now.person?.id || now.offices.some(({ id }) => id === office.id)) return;
    toast({ tone: 'amber', seconds: 30, title: t`You are no longer a member of ${office.officeName}` });
  });
  useEffect(() => {
    if (session) notify(session);
  }, [session]);
}
