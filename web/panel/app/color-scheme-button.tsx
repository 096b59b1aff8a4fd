import { useLingui } from '@lingui/react/macro';
import { setScheme, useScheme } from '#web/kit/color-scheme.ts';
import { useSavePreference } from '#web/kit/session.ts';
import { IconButton } from '#web/panel/ui/button.tsx';
import { MoonIcon } from '#web/icons/moon.tsx';
import { SunIcon } from '#web/icons/sun.tsx';

/** Switches between light and dark, for this person and on this machine. */
export function SchemeButton() {
  const { t } = useLingui();
  const scheme = useScheme();
  const save = useSavePreference();
  const other = scheme === 'dark' ? 'light' : 'dark';
  const change = () => {
    setScheme(other);
    void save({ theme: other });
  };
  return (
    <IconButton
      label={other === 'dark' ? t`Dark mode` : t`Light mode`}
      tip="below-end"
      icon={other === 'dark' ? MoonIcon : SunIcon}
      onClick={change}
    />
  );
}
