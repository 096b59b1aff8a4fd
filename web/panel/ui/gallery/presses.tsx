import { Button, IconButton } from '#web/panel/ui/button.tsx';
import { CheckIcon } from '#web/icons/check.tsx';
import { MoonIcon } from '#web/icons/moon.tsx';
import { SendIcon } from '#web/icons/send.tsx';
import { SettingsIcon } from '#web/icons/settings.tsx';
import { Kbd } from '#web/panel/ui/kbd.tsx';
import css from './gallery.module.css';

export function ButtonsGallery() {
  return (
    <div className={css.stack}>
      <div className={css.row}>
        <Button variant="filled">Filled</Button>
        <Button>Default</Button>
        <Button variant="subtle">Subtle</Button>
        <Button variant="danger">Danger</Button>
      </div>
      <div className={css.row}>
        <Button variant="filled" icon={SendIcon} keyHint="i">
          With icon and key
        </Button>
        <Button variant="filled" busy>
          Busy
        </Button>
        <Button locked>Locked</Button>
        <Button disabled>Disabled</Button>
      </div>
      <div className={css.row}>
        <Button size="s">Small</Button>
        <Button size="s" icon={CheckIcon}>
          Small
        </Button>
        <IconButton label="Dark mode" icon={MoonIcon} />
        <IconButton label="Settings" icon={SettingsIcon} badge={3} />
        <IconButton label="Small" icon={SettingsIcon} size="s" variant="subtle" />
        <Kbd>Ctrl</Kbd>
        <Kbd>K</Kbd>
      </div>
      <Button variant="filled" size="l" block>
        Large, for thumbs
      </Button>
    </div>
  );
}
