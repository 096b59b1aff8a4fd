import { useLingui } from '@lingui/react/macro';
import { useHints } from '#web/kit/live.ts';
import { browserSubscription } from '#web/kit/pushes.ts';
import { useSession } from '#web/kit/session.ts';

/** A note on the desk's screen when somebody arrives while the panel is behind other windows. It names no patient. */
export function useDesktopAlerts(): void {
  const { t } = useLingui();
  const { person, office } = useSession();
  const wanted = person?.preferences.alerts === true;
  useHints(({ arrived }) => {
    if (!arrived || !wanted || document.hasFocus()) return;
    if (!('Notification' in window) || Notification.permission !== 'granted') return;
    const show = () => {
      const note = new Notification(t`New patient waiting`, { body: office?.officeName ?? '', tag: 'arrivals' });
      note.onclick = () => {
        window.focus();
        note.close();
      };
    };
    // Where pushes come to this browser, they say it already.
    void browserSubscription().then(
      (subscription) => subscription ?? show(),
      () => undefined,
    );
  });
}
