import { useLingui } from '@lingui/react/macro';
import { useRef } from 'react';
import { Button, IconButton } from '#web/panel/ui/button.tsx';
import { LoadError } from '#web/panel/ui/load-error.tsx';
import { CloseIcon } from '#web/icons/close.tsx';
import { DownloadIcon } from '#web/icons/download.tsx';
import { ExternalIcon } from '#web/icons/external.tsx';
import { PrintIcon } from '#web/icons/print.tsx';
import { Skeleton } from '#web/panel/ui/skeleton.tsx';
import { ErrorText } from '#web/panel/ui/trouble.tsx';
import { FormShares } from './form-shares.tsx';
import css from './form-viewer.module.css';
import { useDownloadForm, useFormUrl, useOpenForm } from './use-form-file.ts';

/** One form beside the list, in the browser's PDF viewer. */
export function FormViewer({ formKey, title, onClose }: { formKey: string; title: string; onClose: () => void }) {
  const { t } = useLingui();
  const frame = useRef<HTMLIFrameElement>(null);
  const link = useFormUrl(formKey);
  const download = useDownloadForm();
  const tab = useOpenForm();
  const hasViewer = navigator.pdfViewerEnabled;
  const print = () => {
    frame.current?.contentWindow?.focus();
    frame.current?.contentWindow?.print();
  };
  return (
    <section className={css.viewer} aria-label={title}>
      <div className={css.top}>
        <h2 tabIndex={-1} data-form-title>
          {title}
        </h2>
        <IconButton label={t`Close form`} icon={CloseIcon} variant="subtle" tip="below-end" onClick={onClose} />
        <div className={css.buttons}>
          {hasViewer && (
            <Button size="s" icon={PrintIcon} onClick={print}>
              {t`Print`}
            </Button>
          )}
          <Button size="s" icon={DownloadIcon} busy={download.isPending} onClick={() => download.mutate(formKey)}>
            {t`Download`}
          </Button>
          <Button size="s" icon={ExternalIcon} busy={tab.isPending} onClick={() => tab.mutate(formKey)}>
            {t`Open in a new tab`}
          </Button>
        </div>
      </div>
      <ErrorText error={download.error ?? tab.error} />
      <FormShares formKey={formKey} />
      {link.isPending && <Skeleton height={320} />}
      {link.isError && (
        <LoadError title={t`The form could not be opened`} query={link}>
          <ErrorText error={link.error} />
        </LoadError>
      )}
      {link.data && hasViewer && <iframe ref={frame} className={css.pdf} src={link.data.url} title={title} />}
      {link.data && !hasViewer && (
        <p className={css.note}>{t`This browser does not show the form here. Open it in a new tab or download it.`}</p>
      )}
    </section>
  );
}
