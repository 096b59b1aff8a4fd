import { useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { Banner } from '#web/panel/ui/banner.tsx';
import { classNames } from '#web/panel/ui/class-names.ts';
import { ChevronRightIcon } from '#web/icons/chevron-right.tsx';
import { SignOutIcon } from '#web/icons/sign-out.tsx';
import { Page } from '#web/panel/ui/page.tsx';
import { Spinner } from '#web/panel/ui/spinner.tsx';
import { useSettingsGroups, type SettingsGroup } from './settings-links.ts';
import css from './settings-page.module.css';
import { useLogout } from './use-logout.ts';

/** Links to every page of settings, and the logout button. Wider windows show the rail instead. */
export function SettingsPage() {
  const { t } = useLingui();
  return (
    <Page title={t`Settings`}>
      {useSettingsGroups().map((group) => (
        <Group key={group.title} {...group} />
      ))}
      <Logout />
    </Page>
  );
}

/** Ends the session. It looks like the links above it. */
function Logout() {
  const { t } = useLingui();
  const { out, who } = useLogout();
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

function Group({ title, links }: SettingsGroup) {
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
