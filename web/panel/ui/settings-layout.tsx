import { useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { buttonClass } from './button.tsx';
import { ArrowLeftIcon } from '#web/icons/arrow-left.tsx';
import { Page } from './page.tsx';
import css from './settings-layout.module.css';

interface SettingsLayoutProps {
  title: string;
  actions?: ReactNode;
  wide?: boolean;
  children: ReactNode;
}

/** A page of the settings, with the way back to their list. */
export function SettingsLayout({ title, actions, wide = false, children }: SettingsLayoutProps) {
  const { t } = useLingui();
  const top = (
    <div className={css.roomActions}>
      {actions}
      <Link to="/dashboard/settings" className={buttonClass({ variant: 'subtle' })}>
        <ArrowLeftIcon />
        <span>{t`All settings`}</span>
      </Link>
    </div>
  );
  return (
    <Page title={title} actions={top} wide={wide}>
      {children}
    </Page>
  );
}
