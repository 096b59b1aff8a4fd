import { useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { markedNpi } from '#contract/practice/provisional-npi.ts';
import { signOutAndLeave, lockPanel, useSession } from '#web/kit/session.ts';
import { IconButton } from '#web/panel/ui/button.tsx';
import { CardIcon } from '#web/icons/card.tsx';
import { LockIcon } from '#web/icons/lock.tsx';
import { PersonIcon } from '#web/icons/person.tsx';
import { PlusIcon } from '#web/icons/plus.tsx';
import { SignOutIcon } from '#web/icons/sign-out.tsx';
import { Menu, MenuDivider, MenuItem, MenuNote } from '#web/panel/ui/menu.tsx';
import { toast } from '#web/panel/ui/toasts.ts';
import css from './top-bar.module.css';

/** The office and the signed-in person, with Membership, Add New Location, Lock and Sign Out. */
export function ProfileMenu() {
  const { t } = useLingui();
  const cache = useQueryClient();
  const navigate = useNavigate();
  const { person, office } = useSession();
  const failed = () =>
    toast({ tone: 'red', title: t`You are still signed in`, text: t`The server could not be reached. Try again.` });

  return (
    <Menu button={(props) => <IconButton {...props} label={t`Profile`} icon={PersonIcon} tip="below-end" />}>
      <MenuNote>
        <strong>{office?.officeName}</strong>
        {office && <div className={css.person}>NPI {markedNpi(office.npi, t`provisional`)}</div>}
        <div className={css.person}>{person?.email ?? person?.name}</div>
      </MenuNote>
      <MenuDivider />
      <MenuItem icon={CardIcon} onSelect={() => void navigate({ to: '/payments' })}>
        {t`Membership`}
      </MenuItem>
      <MenuItem icon={PlusIcon} onSelect={() => void navigate({ to: '/locations/new' })}>
        {t`Add New Location`}
      </MenuItem>
      <MenuItem icon={LockIcon} onSelect={() => void lockPanel(cache).catch(failed)}>
        {t`Lock`}
      </MenuItem>
      <MenuItem icon={SignOutIcon} onSelect={() => void signOutAndLeave(cache).catch(failed)}>
        {t`Sign Out`}
      </MenuItem>
    </Menu>
  );
}
