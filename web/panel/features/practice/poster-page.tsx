import { useLingui } from '@lingui/react/macro';
import { createPortal } from 'react-dom';
import { Banner } from '#web/panel/ui/banner.tsx';
import { Button } from '#web/panel/ui/button.tsx';
import { EmptyState } from '#web/panel/ui/empty-state.tsx';
import { PrintIcon } from '#web/icons/print.tsx';
import { WarningIcon } from '#web/icons/warning.tsx';
import { Skeleton } from '#web/panel/ui/skeleton.tsx';
import css from './poster.module.css';
import { Poster } from './poster.tsx';
import { SettingsLayout } from '#web/panel/ui/settings-layout.tsx';
import { usePoster } from './use-poster.ts';
import { errorMessage } from '#web/kit/error-messages.ts';

/** What will be printed, as it will look. */
export function PosterPage() {
  const { t } = useLingui();
  const poster = usePoster();
  const print = (
    <Button variant="filled" icon={PrintIcon} locked={!poster.data} onClick={() => window.print()}>
      {t`Print`}
    </Button>
  );
  const onlyHere = poster.data && /^https?:\/\/(localhost|127\.|\[::1\])/.test(poster.data.url);
  return (
    <SettingsLayout title={t`Check-in poster`} actions={print}>
      {onlyHere && (
        <Banner tone="amber">
          {t`This address works on this computer only. Before you print, have PUBLIC_URL set to the address patients can reach.`}
        </Banner>
      )}
      {poster.data && (
        <>
          <div className={css.preview}>
            <Poster {...poster.data} />
          </div>
          {createPortal(
            <div className={css.sheet}>
              <Poster {...poster.data} />
            </div>,
            document.body,
          )}
        </>
      )}
      {poster.isPending && (
        <div className={css.preview}>
          <div className={css.poster}>
            <Skeleton height={420} />
          </div>
        </div>
      )}
      {poster.isError && !poster.data && (
        <EmptyState
          icon={WarningIcon}
          title={t`The poster could not be loaded`}
          action={
            <Button busy={poster.isFetching} onClick={() => void poster.refetch()}>
              {t`Try again`}
            </Button>
          }
        >
          {errorMessage(poster.error, t`The server could not be reached.`)}
        </EmptyState>
      )}
    </SettingsLayout>
  );
}
