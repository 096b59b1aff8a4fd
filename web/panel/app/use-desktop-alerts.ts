import { useLingui } from '@lingui/react/macro';
import { useHints } from '#web/kit/live.ts';
import { browserSubscription, showNote } from '#web/kit/push-subscription.ts';
import { useSession } from '#web/kit/session.ts';

/** A note on the desk's screen when somebody arrives while the panel is behind other windows. It names no patient. */
export function useDesktopAlerts(): void {
  const { t } = useLingui();
  const { person, office } = useSession();
  const wanted = person?.preferences.alerts === true;
  useHints(({ arrived }) => {
    if (!arrived || !wanted || document.hasFocus()) return;
    if (!('Notification' in window) || Notification.permission !== 'granted') return;
    // Where pushes come to this browser, they say it already.
    void browserSubscription()
      .then((subscription) => (subscription ? undefined : showNote(t`New patient waiting`, office?.officeName ?? '')))
      .catch(() => undefined);
  });
}
