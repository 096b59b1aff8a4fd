import { useLingui } from '@lingui/react/macro';
import { Button } from '#web/ui/plain/button.tsx';
import { DownloadIcon } from '#web/ui/plain/icons.tsx';
import { Trouble } from '#web/ui/plain/trouble.tsx';
import css from './forms.module.css';
import { useDownloadAll } from './use-download.ts';
import type { Filter } from './use-forms.ts';

/** Everything the filter finds as a zip; while it comes, how far it is, and the way to stop it. */
export function DownloadAll({ filter, total }: { filter: Filter; total: number }) {
  const { t } = useLingui();
  const all = useDownloadAll();
  const stopped = all.error instanceof Error && all.error.name === 'AbortError';
  return (
    <div className={css.zip}>
      {all.isPending && (
        <>
          <progress className={css.progress} max={1} value={all.share} aria-label={t`Download All`} />
          <Button size="s" variant="subtle" onClick={all.stop}>
            {t`Cancel`}
          </Button>
        </>
      )}
      <Button
        size="s"
        icon={DownloadIcon}
        busy={all.isPending}
        onClick={() => all.mutate({ filter, total })}
      >{t`Download All`}</Button>
      {!stopped && <Trouble error={all.error} />}
    </div>
  );
}
