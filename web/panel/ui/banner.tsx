import { useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import css from './banner.module.css';
import { IconButton } from './button.tsx';
import { classNames } from './class-names.ts';
import { CloseIcon } from '#web/icons/close.tsx';
import { InfoIcon } from '#web/icons/info.tsx';
import { WarningIcon } from '#web/icons/warning.tsx';
import type { Icon } from '#web/icons/shape.tsx';
import type { Tone } from './status-badge.tsx';

interface BannerProps {
  tone?: Tone;
  icon?: Icon;
  /** The button that fixes it. */
  action?: ReactNode;
  onClose?: () => void;
  children: ReactNode;
}

/** A bar across the page. Red and amber ones are announced when they appear. */
export function Banner({ tone = 'blue', icon, action, onClose, children }: BannerProps) {
  const { t } = useLingui();
  const warns = tone === 'red' || tone === 'amber';
  const BannerIcon = icon ?? (warns ? WarningIcon : InfoIcon);
  return (
    <div className={classNames(css.banner, css[tone])} role={warns ? 'alert' : undefined}>
      <BannerIcon />
      <div className={css.text}>{children}</div>
      {action}
      {onClose && (
        <IconButton
          label={t`Close`}
          icon={CloseIcon}
          size="s"
          variant="subtle"
          tip="none"
          className={css.close}
          onClick={onClose}
        />
      )}
    </div>
  );
}
