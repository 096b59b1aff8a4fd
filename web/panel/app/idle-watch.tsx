import { useQuery } from '@tanstack/react-query';
import { AutoLock } from '#web/panel/features/sign-in/auto-lock.tsx';
import { sessionQuery } from '#web/kit/session.ts';

/** Watches over every page of somebody who is signed in, before the dashboards too; behind the lock there is nothing to watch. */
export function IdleWatch() {
  const { data: session } = useQuery({ ...sessionQuery, enabled: false });
  return session?.person && session.gate.because !== 'locked' ? <AutoLock /> : null;
}
