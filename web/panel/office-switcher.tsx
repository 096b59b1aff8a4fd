import { useLingui } from '@lingui/react/macro';
import { switchOffice, useSession } from '#web/kit/session.ts';
import { BuildingIcon, ChevronDownIcon } from '#web/ui/plain/icons.tsx';
import { Menu, MenuItem } from '#web/ui/plain/menu.tsx';
import { buttonClass } from '#web/ui/plain/button.tsx';
import css from './top-bar.module.css';

/** Which office this tab shows, and the way to the person's others. Nothing for who has one. */
export function OfficeSwitcher() {
  const { t } = useLingui();
  const { office, offices } = useSession();
  if (offices.length < 2) return null;
  const shown = office?.officeName ?? '';
  return (
    <Menu
      button={(given) => (
        <button
          {...given}
          type="button"
          className={`${buttonClass({})} ${css.office}`}
          aria-label={t`Practice: ${shown}`}
        >
          <BuildingIcon size={18} />
          <bdi className={css.officeName}>{shown}</bdi>
          <ChevronDownIcon size={14} />
        </button>
      )}
    >
      {offices.map(({ id, officeName }) => (
        <MenuItem key={id} checked={id === office?.id} onSelect={() => id !== office?.id && switchOffice(id)}>
          <bdi>{officeName}</bdi>
        </MenuItem>
      ))}
    </Menu>
  );
}
