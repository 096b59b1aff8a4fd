import { useLingui } from '@lingui/react/macro';
import { useHints } from '#web/kit/live.ts';
import { browserSubscription, showPushNotification } from '#web/kit/push-subscription.ts';
import { useSession } from '#web/kit/session.ts';

/** Shows a desktop notification when a patient arrives, or needs a nurse's call, while the panel is behind other windows. It names no patient. */
export function useDesktopAlerts(): void {
  const { t } = useLingui();
  const { person, office } = useSession();
  const isEnabled = person?.preferences.alerts === true;
  useHints(({ type, arrived }) => {
    if (!arrived || !isEnabled || document.hasFocus()) return;
    if (!('Notification' in window) || Notification.permission !== 'granted') return;
    const title = type === 'callback' ? t`A patient needs a call` : t`New patient waiting`;
    // A browser that gets pushes is notified by them already.
    void browserSubscription()
      .then((subscription) => (subscription ? undefined : showPushNotification(title, office?.officeName ?? '')))
      .catch(() => undefined);
  });
}
