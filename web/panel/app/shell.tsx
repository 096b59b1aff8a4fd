import { useLingui } from '@lingui/react/macro';
import { Outlet, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { OfficeZone } from '#web/kit/format.tsx';
import { useSession } from '#web/kit/session.ts';
import { Banners } from './banners.tsx';
import { LockedPanel } from './locked-panel.tsx';
import css from './shell.module.css';
import { TopBar } from './top-bar.tsx';
import { useDesktopAlerts } from './use-desktop-alerts.ts';
import { useConnectionToOffice } from './use-connection-to-office.ts';

/** The office's rooms; while the panel is locked, the lock in their place, at the same address. */
export function Shell() {
  useDesktopAlerts();
  return useSession().gate.because === 'locked' ? <LockedPanel /> : <Rooms />;
}

/** The frame of the rooms: top bar, banners, and the room, which scrolls by itself. */
function Rooms() {
  const { t } = useLingui();
  const { office } = useSession();
  useConnectionToOffice(office?.id);
  useFocusOnNewPage();
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

/** A new page starts at its heading, for the keyboard and for screen readers. */
function useFocusOnNewPage(): void {
  const router = useRouter();
  useEffect(
    () =>
      router.subscribe('onRendered', ({ pathChanged, fromLocation }) => {
        if (!pathChanged || !fromLocation) return;
        const heading = document.querySelector<HTMLElement>('#main h1') ?? document.getElementById('main');
        heading?.setAttribute('tabindex', '-1');
        heading?.focus();
      }),
    [router],
  );
}
