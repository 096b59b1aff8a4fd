import { useLingui } from '@lingui/react/macro';
import { createPortal } from 'react-dom';
import { saveFirstSteps } from '#contract/practice/first-steps.ts';
import { call } from '#web/kit/call.ts';
import { useSession } from '#web/kit/session.ts';
import { Banner } from '#web/panel/ui/banner.tsx';
import { Button } from '#web/panel/ui/button.tsx';
import { PrintIcon } from '#web/icons/print.tsx';
import { LoadError } from '#web/panel/ui/load-error.tsx';
import { Skeleton } from '#web/panel/ui/skeleton.tsx';
import { PageActions } from '#web/panel/ui/page-actions.tsx';
import css from './poster.module.css';
import { Poster } from './poster.tsx';
import { usePoster } from './use-poster.ts';

/** A preview of the poster, and the button that prints it. */
export function PosterPage() {
  const { t } = useLingui();
  const poster = usePoster();
  const isNew = useSession().office?.firstSteps === true;
  const print = () => {
    window.print();
    // Ticks the entry of a new practice's first steps; without a connection it can be printed again.
    if (isNew) call(saveFirstSteps, { body: { posterPrinted: true } }).catch(() => undefined);
  };
  const onlyHere = poster.data && /^https?:\/\/(localhost|127\.|\[::1\])/.test(poster.data.url);
  return (
    <>
      <PageActions>
        <Button variant="filled" icon={PrintIcon} locked={!poster.data} onClick={print}>
          {t`Print`}
        </Button>
      </PageActions>
      {onlyHere && (
        <Banner tone="amber">
          {t`This check-in address works only on this computer. Before you print, ask your IT contact to set up the public address.`}
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
      {poster.isError && !poster.data && <LoadError title={t`The poster could not be loaded`} query={poster} />}
    </>
  );
}
