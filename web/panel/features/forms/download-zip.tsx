import { useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { Button } from '#web/panel/ui/button.tsx';
import { DownloadIcon } from '#web/icons/download.tsx';
import { Trouble } from '#web/panel/ui/trouble.tsx';
import css from './forms.module.css';
import { useDownloadZips, type KeysOf } from './use-download.ts';

interface DownloadZipProps {
  children: string;
  keysOf: KeysOf;
  /** There is nothing to download. */
  locked?: boolean;
  /** A button that belongs beside it. */
  beside?: ReactNode;
}

/** Downloads forms as a zip; while it comes, how far it is, and the way to stop it. */
export function DownloadZip({ children, keysOf, locked, beside }: DownloadZipProps) {
  const { t } = useLingui();
  const zip = useDownloadZips();
  const stopped = zip.error instanceof Error && zip.error.name === 'AbortError';
  return (
    <div className={css.zip}>
      {zip.isPending && (
        <>
          <progress className={css.progress} max={1} value={zip.share} aria-label={children} />
          <Button size="s" variant="subtle" onClick={zip.stop}>
            {t`Cancel`}
          </Button>
        </>
      )}
      <Button size="s" icon={DownloadIcon} busy={zip.isPending} locked={locked} onClick={() => zip.mutate(keysOf)}>
        {children}
      </Button>
      {beside}
      {!stopped && <Trouble error={zip.error} />}
    </div>
  );
}
