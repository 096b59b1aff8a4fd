import { useQuery } from '@tanstack/react-query';
import { AutoLock } from '#web/panel/features/sign-in/auto-lock.tsx';
import { sessionQuery } from '#web/kit/session.ts';

/** Locks the panel after idle minutes, on every page of a signed-in person. A locked panel needs no watching. */
export function IdleWatch() {
  const { data: session } = useQuery({ ...sessionQuery, enabled: false });
  return session?.person && session.gate.because !== 'locked' ? <AutoLock /> : null;
}
