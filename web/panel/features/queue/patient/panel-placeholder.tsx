import { useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { Button, IconButton } from '#web/panel/ui/button.tsx';
import { EmptyState } from '#web/panel/ui/empty-state.tsx';
import { ArrowLeftIcon } from '#web/icons/arrow-left.tsx';
import { RefreshIcon } from '#web/icons/refresh.tsx';
import { WarningIcon } from '#web/icons/warning.tsx';
import { Skeleton } from '#web/panel/ui/skeleton.tsx';
import css from './visit-panel.module.css';

/** Returns to the list on narrow screens. */
export function BackToList({ onBack }: { onBack: () => void }) {
  const { t } = useLingui();
  return (
    <span className={css.back}>
      <IconButton label={t`Back`} icon={ArrowLeftIcon} variant="subtle" onClick={onBack} />
    </span>
  );
}

/** The selected patient's pane while it loads, or with the reason why it does not. */
export function PanelPlaceholder({ onBack, children }: { onBack: () => void; children?: ReactNode }) {
  return (
    <div className={css.panel}>
      <div className={css.scroll}>
        <BackToList onBack={onBack} />
        {children || <PanelSkeleton />}
      </div>
    </div>
  );
}

export function NotLoaded({ onRetry }: { onRetry: () => void }) {
  const { t } = useLingui();
  const retry = (
    <Button icon={RefreshIcon} onClick={onRetry}>
      {t`Try again`}
    </Button>
  );
  return <EmptyState icon={WarningIcon} title={t`This patient could not be loaded`} action={retry} />;
}

function PanelSkeleton() {
  return (
    <div className={css.column} aria-hidden="true">
      <Skeleton width={260} height={48} />
      {[92, 76, 180, 120].map((height) => (
        <Skeleton key={height} width="100%" height={height} />
      ))}
    </div>
  );
}
