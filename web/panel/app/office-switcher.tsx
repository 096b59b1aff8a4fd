import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { useNavigate } from '@tanstack/react-router';
import { markedNpi } from '#contract/practice/provisional-npi.ts';
import { switchOffice, useSession } from '#web/kit/session.ts';
import { BuildingIcon } from '#web/icons/building.tsx';
import { ChevronDownIcon } from '#web/icons/chevron-down.tsx';
import { MailIcon } from '#web/icons/mail.tsx';
import { Menu, MenuDivider, MenuItem } from '#web/panel/ui/menu.tsx';
import { buttonClass } from '#web/panel/ui/button.tsx';
import css from './top-bar.module.css';

/**
 * The office of this tab, the person's other offices and a link to open invitations. If there is nothing to choose: the office's name in
 * the top bar, and nothing elsewhere.
 */
export function OfficeSwitcher({ inBar }: { inBar?: boolean }) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const { office, offices, invitations } = useSession();
  const invited = invitations.length;
  const shown = office?.officeName ?? '';
  if (offices.length < 2 && invited === 0) return inBar ? <bdi className={css.officeName}>{shown}</bdi> : null;
  const waiting = t`${plural(invited, { one: '# invitation', other: '# invitations' })}`;
  const isNamesake = (name: string) => offices.filter(({ officeName }) => officeName === name).length > 1;
  return (
    <Menu
      button={(props) => (
        <button
          {...props}
          type="button"
          className={`${buttonClass(inBar ? { size: 's', variant: 'subtle' } : {})} ${css.office}`}
          aria-label={invited > 0 ? t`Practice: ${shown}, ${waiting}` : t`Practice: ${shown}`}
        >
          {!inBar && <BuildingIcon size={18} />}
          <bdi className={css.officeName}>{shown}</bdi>
          {invited > 0 && <span className={css.invited} />}
          <ChevronDownIcon size={14} />
        </button>
      )}
    >
      {offices.map(({ id, npi, officeName }) => (
        <MenuItem key={id} checked={id === office?.id} onSelect={() => id !== office?.id && switchOffice(id)}>
          <bdi>{officeName}</bdi>
          {isNamesake(officeName) && ` · NPI ${markedNpi(npi, t`provisional`)}`}
        </MenuItem>
      ))}
      {invited > 0 && (
        <>
          <MenuDivider />
          <MenuItem icon={MailIcon} onSelect={() => void navigate({ to: '/join' })}>
            {waiting}
          </MenuItem>
        </>
      )}
    </Menu>
  );
}
