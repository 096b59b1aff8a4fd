import type { MessageDescriptor } from '@lingui/core';
import { useLingui } from '@lingui/react/macro';
import { Link, Outlet, useChildMatches } from '@tanstack/react-router';
import { useState } from 'react';
import { ArrowLeftIcon } from '#web/icons/arrow-left.tsx';
import { buttonClass } from '#web/panel/ui/button.tsx';
import { classNames } from '#web/panel/ui/class-names.ts';
import { ActionsSlot } from '#web/panel/ui/page-actions.tsx';
import { Page } from '#web/panel/ui/page.tsx';
import css from './settings-layout.module.css';
import { SettingsRail } from './settings-rail.tsx';

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** The heading of a page of the settings; `wide`: as wide as the window. */
    settings?: { title: MessageDescriptor; wide?: boolean };
  }
}

/** The frame of every page of the settings: the rail, or the link back to the list; the heading and the page's own buttons. */
export function SettingsLayout() {
  const { t } = useLingui();
  const page = useChildMatches({ select: (matches) => matches[0] });
  const [slot, setSlot] = useState<HTMLElement | null>(null);
  const { title, wide = false } = page?.staticData.settings ?? {};
  const actions = (
    <div className={css.actions}>
      <div ref={setSlot} className={css.slot} />
      <Link to="/dashboard/settings" className={classNames(buttonClass({ variant: 'subtle' }), css.back)}>
        <ArrowLeftIcon />
        <span>{t`All settings`}</span>
      </Link>
    </div>
  );
  return (
    <div className={css.frame}>
      <SettingsRail />
      <Page key={page?.pathname} title={title ? t(title) : ''} actions={actions} wide={wide}>
        <ActionsSlot value={slot}>
          <Outlet />
        </ActionsSlot>
      </Page>
    </div>
  );
}
