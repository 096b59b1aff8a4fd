import { useSession } from '#web/kit/session.ts';
import { initialsOf } from '#web/panel/ui/avatar.tsx';

/** A patient's name as the screen may show it: only the initials in privacy mode. */
export function useShownName(): (name: string) => string {
  const privacy = useSession().person?.preferences.privacy === true;
  return (name) => (privacy ? initialsOf(name) : name);
}
