import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { usePublicConfig } from '#web/kit/public-config.ts';
import { signOutAndLeave, useSession } from '#web/kit/session.ts';
import { Banner } from '#web/panel/ui/banner.tsx';
import { classNames } from '#web/panel/ui/class-names.ts';
import { BellIcon } from '#web/icons/bell.tsx';
import { BuildingIcon } from '#web/icons/building.tsx';
import { ChatIcon } from '#web/icons/chat.tsx';
import { ChevronRightIcon } from '#web/icons/chevron-right.tsx';
import { ClockIcon } from '#web/icons/clock.tsx';
import { FormIcon } from '#web/icons/form.tsx';
import { HelpIcon } from '#web/icons/help.tsx';
import { LanguagesIcon } from '#web/icons/languages.tsx';
import { LockIcon } from '#web/icons/lock.tsx';
import { MessageIcon } from '#web/icons/message.tsx';
import { PeopleIcon } from '#web/icons/people.tsx';
import { PersonIcon } from '#web/icons/person.tsx';
import { QrIcon } from '#web/icons/qr.tsx';
import { RowsIcon } from '#web/icons/rows.tsx';
import { ShieldIcon } from '#web/icons/shield.tsx';
import { SignOutIcon } from '#web/icons/sign-out.tsx';
import { Page } from '#web/panel/ui/page.tsx';
import { Spinner } from '#web/panel/ui/spinner.tsx';
import { paymentsLinkOf, type SettingsLink } from './payments-link.ts';
import css from './settings-page.module.css';

const practiceSettings: readonly SettingsLink[] = [
  {
    to: '/dashboard/settings/office',
    icon: BuildingIcon,
    name: msg`Office details`,
    summary: msg`Name, address, email, software, time zone`,
  },
  {
    to: '/dashboard/settings/queue',
    icon: ClockIcon,
    name: msg`Queue`,
    summary: msg`Auto-invite, late marks, opening hours, greeting`,
  },
  {
    to: '/dashboard/settings/messages',
    icon: MessageIcon,
    name: msg`Messages`,
    summary: msg`Quiet hours, snippets, default text, lead time`,
  },
  {
    to: '/dashboard/settings/widget',
    icon: ChatIcon,
    name: msg`Website chat`,
    summary: msg`Chat on your website: websites, color, greeting, hours`,
  },
  {
    to: '/dashboard/settings/forms',
    icon: RowsIcon,
    name: msg`Forms`,
    summary: msg`Which forms patients are asked for, and your own questionnaires`,
  },
  {
    to: '/dashboard/settings/team',
    icon: PeopleIcon,
    name: msg`Team`,
    summary: msg`Who works here: invite or remove colleagues`,
  },
  {
    to: '/dashboard/settings/poster',
    icon: QrIcon,
    name: msg`Check-in poster`,
    summary: msg`A page with a QR code to print and hang at the door`,
  },
  {
    to: '/dashboard/settings/agreement',
    icon: FormIcon,
    name: msg`Agreement`,
    summary: msg`The signed HIPAA agreement: who, when, download`,
  },
  {
    to: '/dashboard/settings/audit',
    icon: ShieldIcon,
    name: msg`Audit log`,
    summary: msg`Who viewed or changed patient information`,
  },
];

const personalSettings: readonly SettingsLink[] = [
  {
    to: '/dashboard/settings/notifications',
    icon: BellIcon,
    name: msg`Notifications`,
    summary: msg`Alerts, pushes and the sound when a patient arrives`,
  },
  { to: '/dashboard/settings/languages', icon: LanguagesIcon, name: msg`Languages`, summary: msg`English or Spanish` },
  {
    to: '/dashboard/settings/preferences',
    icon: PersonIcon,
    name: msg`My preferences`,
    summary: msg`Colors, rows, keyboard, privacy`,
  },
  {
    to: '/dashboard/settings/security',
    icon: LockIcon,
    name: msg`Security`,
    summary: msg`Devices, passkeys, authenticator app`,
  },
];

const help: readonly SettingsLink[] = [
  {
    to: '/dashboard/settings/live-customer-support',
    icon: HelpIcon,
    name: msg`Live customer support`,
    summary: msg`Write to us`,
  },
];

/** Links to every page of settings, and the logout button. */
export function SettingsPage() {
  const { t } = useLingui();
  const { office, person } = useSession();
  const config = usePublicConfig();
  const payments = office && config?.payments !== false ? paymentsLinkOf(office) : null;
  const ofPractice = payments ? [...practiceSettings, payments] : practiceSettings;
  return (
    <Page title={t`Settings`}>
      <SettingsGroup title={office?.officeName ?? t`The practice`} links={ofPractice} />
      <SettingsGroup title={person?.name || t`You`} links={personalSettings} />
      <SettingsGroup title={t`Help`} links={help} />
      <Logout />
    </Page>
  );
}

/** Ends the session. It looks like the links above it. */
function Logout() {
  const { t } = useLingui();
  const { person } = useSession();
  const cache = useQueryClient();
  const out = useMutation({ mutationFn: () => signOutAndLeave(cache) });
  const who = person?.email ?? person?.name ?? '';
  return (
    <>
      {out.isError && (
        <Banner tone="red">{t`You are still signed in: the server could not be reached. Try again.`}</Banner>
      )}
      <div className={css.list}>
        <button
          type="button"
          className={classNames(css.link, css.logout)}
          aria-disabled={out.isPending || undefined}
          onClick={() => !out.isPending && out.mutate()}
        >
          {out.isPending ? <Spinner size={20} /> : <SignOutIcon size={20} className={css.icon} />}
          <span className={css.text}>
            <span className={css.name}>{t`Logout`}</span>
            <span className={css.summary}>{t`You are signed in as ${who}`}</span>
          </span>
        </button>
      </div>
    </>
  );
}

function SettingsGroup({ title, links }: { title: string; links: readonly SettingsLink[] }) {
  const { t } = useLingui();
  return (
    <section className={css.group} aria-label={title}>
      <h2 className={css.groupTitle}>
        <bdi>{title}</bdi>
      </h2>
      <ul className={css.list}>
        {links.map(({ to, icon: LinkIcon, name, summary }) => (
          <li key={to}>
            <Link to={to} className={css.link}>
              <LinkIcon size={20} className={css.icon} />
              <span className={css.text}>
                <span className={css.name}>{t(name)}</span>
                <span className={css.summary}>{t(summary)}</span>
              </span>
              <ChevronRightIcon className={css.chevron} />
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
