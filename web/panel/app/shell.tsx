import { useLingui } from '@lingui/react/macro';
import { Outlet, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { OfficeZone } from '#web/kit/format.tsx';
import { useFocusAfterRemoval } from '#web/kit/removed-focus.ts';
import { useSession } from '#web/kit/session.ts';
import { Banners } from './banners.tsx';
import { LockedPanel } from './locked-panel.tsx';
import css from './shell.module.css';
import { TopBar } from './top-bar.tsx';
import { useDesktopAlerts } from './use-desktop-alerts.ts';
import { useConnectionToOffice } from './use-connection-to-office.ts';

/** The office's pages, or the lock screen at the same address while the panel is locked. */
export function Shell() {
  useDesktopAlerts();
  return useSession().gate.because === 'locked' ? <LockedPanel /> : <Pages />;
}

/** The frame of the pages: top bar, banners, and the page, which scrolls by itself. */
function Pages() {
  const { t } = useLingui();
  const { office } = useSession();
  useConnectionToOffice(office?.id);
  useFocusOnNewPage();
  useFocusAfterRemoval();
  return (
    <OfficeZone value={office?.timeZone}>
      <div className={css.shell}>
        <a className={css.skip} href="#main">
          {t`Skip to content`}
        </a>
        <TopBar />
        <Banners />
        <main id="main" className={css.main} tabIndex={-1}>
          <Outlet />
        </main>
      </div>
    </OfficeZone>
  );
}

/**
 * Moves the focus to the heading of a new page, for keyboards and screen readers; not out of a menu or dialog that was opened while the
 * page loaded.
 */
function useFocusOnNewPage(): void {
  const router = useRouter();
  useEffect(
    () =>
      router.subscribe('onRendered', ({ pathChanged, fromLocation }) => {
        if (!pathChanged || !fromLocation || document.activeElement?.closest('[role=menu], dialog')) return;
        const heading = document.querySelector<HTMLElement>('#main h1') ?? document.getElementById('main');
        heading?.setAttribute('tabindex', '-1');
        heading?.focus();
      }),
    [router],
  );
}
