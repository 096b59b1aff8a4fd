import { useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { SignOutIcon } from '#web/icons/sign-out.tsx';
import { classNames } from '#web/panel/ui/class-names.ts';
import { toast } from '#web/panel/ui/toasts.ts';
import { useSettingsGroups } from './settings-links.ts';
import css from './settings-rail.module.css';
import { useLogout } from './use-logout.ts';

/** The pages of the settings, beside the open one where the window is wide enough. */
export function SettingsRail() {
  const { t } = useLingui();
  const { out, who } = useLogout();
  const logout = () =>
    out.mutate(undefined, {
      onError: () =>
        toast({ tone: 'red', title: t`You are still signed in: the server could not be reached. Try again.` }),
    });
  return (
    <nav className={css.rail} aria-label={t`Settings`}>
      {useSettingsGroups().map(({ title, links }) => (
        <div key={title} className={css.group}>
          <p className={css.title}>
            <bdi>{title}</bdi>
          </p>
          {links.map(({ to, icon: LinkIcon, name, summary }) => (
            <Link key={to} to={to} className={css.link} title={t(summary)}>
              <LinkIcon size={18} className={css.icon} />
              <span>{t(name)}</span>
            </Link>
          ))}
        </div>
      ))}
      <button
        type="button"
        className={classNames(css.link, css.logout)}
        title={t`You are signed in as ${who}`}
        aria-disabled={out.isPending || undefined}
        onClick={() => !out.isPending && logout()}
      >
        <SignOutIcon size={18} className={css.icon} />
        <span>{t`Logout`}</span>
      </button>
    </nav>
  );
}
