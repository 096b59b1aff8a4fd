import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, type LinkProps } from '@tanstack/react-router';
import { leave, useSession } from '#web/kit/session.ts';
import { Banner } from '#web/panel/ui/banner.tsx';
import { classNames } from '#web/panel/ui/class-names.ts';
import { BellIcon } from '#web/icons/bell.tsx';
import { BuildingIcon } from '#web/icons/building.tsx';
import { ChevronRightIcon } from '#web/icons/chevron-right.tsx';
import { ClockIcon } from '#web/icons/clock.tsx';
import { FormIcon } from '#web/icons/form.tsx';
import { HelpIcon } from '#web/icons/help.tsx';
import { LanguagesIcon } from '#web/icons/languages.tsx';
import { LockIcon } from '#web/icons/lock.tsx';
import { PeopleIcon } from '#web/icons/people.tsx';
import { PersonIcon } from '#web/icons/person.tsx';
import { QrIcon } from '#web/icons/qr.tsx';
import { RowsIcon } from '#web/icons/rows.tsx';
import { ShieldIcon } from '#web/icons/shield.tsx';
import { SignOutIcon } from '#web/icons/sign-out.tsx';
import type { Icon } from '#web/icons/shape.tsx';
import { Page } from '#web/panel/ui/page.tsx';
import { Spinner } from '#web/panel/ui/spinner.tsx';
import css from '#web/panel/ui/settings-layout.module.css';

interface Room {
  to: LinkProps['to'];
  icon: Icon;
  name: MessageDescriptor;
  says: MessageDescriptor;
}

const ofPractice: readonly Room[] = [
  {
    to: '/dashboard/settings/office',
    icon: BuildingIcon,
    name: msg`Office details`,
    says: msg`Name, address, email, software, time zone`,
  },
  {
    to: '/dashboard/settings/queue',
    icon: ClockIcon,
    name: msg`Queue`,
    says: msg`Auto-invite, late marks, opening hours, greeting`,
  },
  {
    to: '/dashboard/settings/forms',
    icon: RowsIcon,
    name: msg`Forms`,
    says: msg`Which forms patients are asked for, and your own questionnaires`,
  },
  {
    to: '/dashboard/settings/team',
    icon: PeopleIcon,
    name: msg`Team`,
    says: msg`Who works here: invite a colleague, take one off`,
  },
  {
    to: '/dashboard/settings/poster',
    icon: QrIcon,
    name: msg`Check-in poster`,
    says: msg`A page with a QR code to print and hang at the door`,
  },
  {
    to: '/dashboard/settings/agreement',
    icon: FormIcon,
    name: msg`Agreement`,
    says: msg`The signed HIPAA agreement: who, when, download`,
  },
  {
    to: '/dashboard/settings/audit',
    icon: ShieldIcon,
    name: msg`Audit log`,
    says: msg`Who saw or changed what about a patient, and when`,
  },
];

const ofPerson: readonly Room[] = [
  {
    to: '/dashboard/settings/notifications',
    icon: BellIcon,
    name: msg`Notifications`,
    says: msg`Alerts, pushes and the sound when a patient arrives`,
  },
  { to: '/dashboard/settings/languages', icon: LanguagesIcon, name: msg`Languages`, says: msg`English or Spanish` },
  {
    to: '/dashboard/settings/preferences',
    icon: PersonIcon,
    name: msg`My preferences`,
    says: msg`Colors, rows, keyboard, privacy`,
  },
  {
    to: '/dashboard/settings/security',
    icon: LockIcon,
    name: msg`Security`,
    says: msg`Devices, passkeys, authenticator app`,
  },
];

const help: readonly Room[] = [
  {
    to: '/dashboard/settings/live-customer-support',
    icon: HelpIcon,
    name: msg`Live customer support`,
    says: msg`Call or write to us`,
  },
];

/** The way to every setting there is, and the way out. */
export function SettingsPage() {
  const { t } = useLingui();
  const { office, person } = useSession();
  return (
    <Page title={t`Settings`}>
      <Rooms title={office?.officeName ?? t`The practice`} rooms={ofPractice} />
      <Rooms title={person?.name || t`You`} rooms={ofPerson} />
      <Rooms title={t`Help`} rooms={help} />
      <Logout />
    </Page>
  );
}

/** Looks like the rows above it, and ends the session. */
function Logout() {
  const { t } = useLingui();
  const { person } = useSession();
  const cache = useQueryClient();
  const out = useMutation({ mutationFn: () => leave(cache) });
  const who = person?.email ?? person?.name ?? '';
  return (
    <>
      {out.isError && (
        <Banner tone="red">{t`You are still signed in: the server could not be reached. Try again.`}</Banner>
      )}
      <div className={css.list}>
        <button
          type="button"
          className={classNames(css.room, css.out)}
          aria-disabled={out.isPending || undefined}
          onClick={() => !out.isPending && out.mutate()}
        >
          {out.isPending ? <Spinner size={20} /> : <SignOutIcon size={20} className={css.roomIcon} />}
          <span className={css.roomWords}>
            <span className={css.roomName}>{t`Logout`}</span>
            <span className={css.roomSays}>{t`You are signed in as ${who}`}</span>
          </span>
        </button>
      </div>
    </>
  );
}

function Rooms({ title, rooms }: { title: string; rooms: readonly Room[] }) {
  const { t } = useLingui();
  return (
    <section className={css.rooms} aria-label={title}>
      <h2 className={css.roomsTitle}>
        <bdi>{title}</bdi>
      </h2>
      <ul className={css.list}>
        {rooms.map(({ to, icon: RoomIcon, name, says }) => (
          <li key={to}>
            <Link to={to} className={css.room}>
              <RoomIcon size={20} className={css.roomIcon} />
              <span className={css.roomWords}>
                <span className={css.roomName}>{t(name)}</span>
                <span className={css.roomSays}>{t(says)}</span>
              </span>
              <ChevronRightIcon className={css.chevron} />
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
