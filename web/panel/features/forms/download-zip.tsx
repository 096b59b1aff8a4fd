import { useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { locales, useLanguage } from '#web/kit/i18n.ts';
import { Button } from '#web/panel/ui/button.tsx';
import { DownloadIcon } from '#web/icons/download.tsx';
import { ErrorText } from '#web/panel/ui/trouble.tsx';
import css from './download-zip.module.css';
import { useDownloadZips, type KeysOf } from './use-download-zips.ts';

interface DownloadZipProps {
  children: string;
  keysOf: KeysOf;
  /** Nothing is selected. */
  locked?: boolean;
  /** Another button in the same row. */
  beside?: ReactNode;
}

/** Downloads forms as a zip, with a progress bar and a button that cancels it. */
export function DownloadZip({ children, keysOf, locked, beside }: DownloadZipProps) {
  const { t } = useLingui();
  const language = useLanguage();
  const zip = useDownloadZips();
  const percent = new Intl.NumberFormat(locales[language], { style: 'percent' }).format(zip.progress);
  const stopped = zip.error instanceof Error && zip.error.name === 'AbortError';
  return (
    <div className={css.zip}>
      {zip.isPending && (
        <>
          <progress
            className={css.progress}
            max={1}
            value={zip.progress > 0 ? zip.progress : undefined}
            aria-label={children}
          />
          <span className={css.percent}>{zip.progress > 0 ? percent : t`Preparing…`}</span>
          <Button size="s" variant="subtle" onClick={zip.stop}>
            {t`Cancel`}
          </Button>
        </>
      )}
      <Button size="s" icon={DownloadIcon} busy={zip.isPending} locked={locked} onClick={() => zip.mutate(keysOf)}>
        {children}
      </Button>
      {beside}
      {!stopped && <ErrorText error={zip.error} />}
    </div>
  );
}
