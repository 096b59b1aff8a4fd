import { useLingui } from '@lingui/react/macro';
import { useSavePreference, useSession } from '#web/kit/session.ts';
import { IconButton } from '#web/panel/ui/button.tsx';
import { EyeIcon } from '#web/icons/eye.tsx';
import { EyeOffIcon } from '#web/icons/eye-off.tsx';
import { FlagIcon } from '#web/icons/flag.tsx';
import { KeyboardIcon } from '#web/icons/keyboard.tsx';
import { MoreIcon } from '#web/icons/more.tsx';
import { SearchIcon } from '#web/icons/search.tsx';
import { VolumeIcon } from '#web/icons/volume.tsx';
import { VolumeOffIcon } from '#web/icons/volume-off.tsx';
import { Menu, MenuDivider, MenuItem } from '#web/panel/ui/menu.tsx';
import { usePrivacy } from '#web/panel/features/queue/privacy.tsx';
import { useSwitchSound, useWantsSound } from '#web/panel/features/queue/news/sound-switch.tsx';
import type { Density } from '#web/panel/features/queue/card/visit-card.tsx';

/** The row density this person chose. */
export function useDensity(): Density {
  return useSession().person?.preferences.density === 'compact' ? 'compact' : 'comfortable';
}

/** This person's display and sound preferences for the queue. */
export function ViewMenu({
  onFirstSteps,
  onHelp,
  onPalette,
}: {
  onFirstSteps: () => void;
  onHelp: () => void;
  onPalette: () => void;
}) {
  const { t } = useLingui();
  const save = useSavePreference();
  const density = useDensity();
  const privacy = usePrivacy();
  const wantsSound = useWantsSound() === true;
  const switchSound = useSwitchSound();
  return (
    <Menu button={(props) => <IconButton {...props} label={t`View`} icon={MoreIcon} tip="below-end" />}>
      <MenuItem checked={density === 'comfortable'} onSelect={() => void save({ density: 'comfortable' })}>
        {t`Comfortable rows`}
      </MenuItem>
      <MenuItem checked={density === 'compact'} onSelect={() => void save({ density: 'compact' })}>
        {t`Compact rows`}
      </MenuItem>
      <MenuDivider />
      <MenuItem icon={privacy ? EyeIcon : EyeOffIcon} onSelect={() => void save({ privacy: !privacy })}>
        {privacy ? t`Show full names` : t`Show initials only`}
      </MenuItem>
      <MenuItem icon={wantsSound ? VolumeOffIcon : VolumeIcon} onSelect={() => switchSound(!wantsSound)}>
        {wantsSound ? t`Turn sound off` : t`Turn sound on`}
      </MenuItem>
      <MenuDivider />
      <MenuItem icon={SearchIcon} onSelect={onPalette}>
        {t`Search or run a command (Ctrl+K)`}
      </MenuItem>
      <MenuItem icon={FlagIcon} onSelect={onFirstSteps}>
        {t`First steps`}
      </MenuItem>
      <MenuItem icon={KeyboardIcon} onSelect={onHelp}>
        {t`Keyboard shortcuts (?)`}
      </MenuItem>
    </Menu>
  );
}
