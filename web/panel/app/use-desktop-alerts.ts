import { useLingui } from '@lingui/react/macro';
import { useHints } from '#web/kit/live.ts';
import { browserSubscription, showPushNotification } from '#web/kit/push-subscription.ts';
import { useSession } from '#web/kit/session.ts';

/** Shows a desktop notification when a patient arrives while the panel is behind other windows. It names no patient. */
export function useDesktopAlerts(): void {
  const { t } = useLingui();
  const { person, office } = useSession();
  const isEnabled = person?.preferences.alerts === true;
  useHints(({ arrived }) => {
    if (!arrived || !isEnabled || document.hasFocus()) return;
    if (!('Notification' in window) || Notification.permission !== 'granted') return;
    // A browser that gets pushes is notified by them already.
    void browserSubscription()
      .then((subscription) =>
        subscription ? undefined : showPushNotification(t`New patient waiting`, office?.officeName ?? ''),
      )
      .catch(() => undefined);
  });
}
