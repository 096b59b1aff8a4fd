import { useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { showPushNotification } from '#web/kit/push-subscription.ts';
import { ringArrival, startSound } from '#web/kit/sound.ts';
import { useSavePreference, useSession, type Preferences } from '#web/kit/session.ts';
import { Button } from '#web/panel/ui/button.tsx';
import { Card } from '#web/panel/ui/card.tsx';
import { Checkbox } from '#web/panel/ui/field.tsx';
import { BellIcon } from '#web/icons/bell.tsx';
import { BellOffIcon } from '#web/icons/bell-off.tsx';
import { CheckIcon } from '#web/icons/check.tsx';
import { VolumeIcon } from '#web/icons/volume.tsx';
import { StatusBadge } from '#web/panel/ui/status-badge.tsx';
import { PushSettings } from './push-settings.tsx';
import css from './preferences.module.css';
import { usePermission, type Permission } from './use-permission.ts';

/** How a person is notified of arrivals while not looking at the panel. No notification names a patient. */
export function NotificationsPage() {
  const { t } = useLingui();
  const [permission, ask] = usePermission();
  return (
    <>
      <Card title={t`Browser permission`}>
        <div className={css.stack}>
          <PermissionState permission={permission} onAsk={() => void ask()} />
        </div>
      </Card>
      <DesktopAlerts permission={permission} />
      <PushSettings permission={permission} />
      <Sound />
    </>
  );
}

function PermissionState({ permission, onAsk }: { permission: Permission; onAsk: () => void }) {
  const { t } = useLingui();
  if (permission === 'granted')
    return (
      <div>
        <StatusBadge tone="green" icon={CheckIcon}>{t`Allowed`}</StatusBadge>
      </div>
    );
  if (permission === 'denied')
    return (
      <>
        <div>
          <StatusBadge tone="red" icon={BellOffIcon}>{t`Blocked`}</StatusBadge>
        </div>
        <p>{t`Notifications are blocked in this browser. Click the icon next to the address above, allow notifications for this site, and come back.`}</p>
      </>
    );
  if (permission === 'unsupported')
    return (
      <p>{t`This browser cannot show notifications here. They need a current browser and a secure (https) address.`}</p>
    );
  return (
    <>
      <p>{t`Your browser asks once whether this site may show notifications.`}</p>
      <div>
        <Button variant="filled" icon={BellIcon} onClick={onAsk}>
          {t`Request permission`}
        </Button>
      </div>
    </>
  );
}

function DesktopAlerts({ permission }: { permission: Permission }) {
  const { t } = useLingui();
  const { person, office } = useSession();
  const save = useSavePreference();
  const { alerts = false } = (person?.preferences ?? {}) as Preferences;
  const [tried, setTried] = useState(false);
  const tryOut = () => {
    setTried(true);
    void showPushNotification(t`New patient waiting`, office?.officeName ?? '').catch(() => undefined);
  };
  return (
    <Card title={t`Desktop alerts`}>
      <div className={css.stack}>
        <Checkbox
          toggle
          label={t`Alert when a patient arrives`}
          hint={t`Shows a desktop notification when the panel is open behind other windows. It never includes the patient’s name.`}
          checked={alerts}
          onChange={(event) => void save({ alerts: event.target.checked })}
        />
        {permission !== 'granted' && alerts && <p>{t`Nothing is shown until this browser allows it.`}</p>}
        <div>
          <Button icon={BellIcon} locked={permission !== 'granted'} onClick={tryOut}>
            {t`Show an alert now`}
          </Button>
        </div>
        <p role="status">
          {tried && t`Did you see it? If not, check that your computer allows notifications from this browser.`}
        </p>
      </div>
    </Card>
  );
}

function Sound() {
  const { t } = useLingui();
  const { person } = useSession();
  const save = useSavePreference();
  const { sound = false } = (person?.preferences ?? {}) as Preferences;
  const play = () => {
    startSound();
    setTimeout(ringArrival, 100);
  };
  const change = (on: boolean) => {
    if (on) play();
    void save({ sound: on });
  };
  return (
    <Card title={t`Sound`}>
      <div className={css.stack}>
        <Checkbox
          toggle
          label={t`Sound when a patient arrives or texts you`}
          hint={t`Browsers stay silent until someone clicks in the panel.`}
          checked={sound}
          onChange={(event) => change(event.target.checked)}
        />
        <div>
          <Button icon={VolumeIcon} onClick={play}>
            {t`Play the sound`}
          </Button>
        </div>
      </div>
    </Card>
  );
}
