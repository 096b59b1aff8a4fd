import { useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { readFormUrl } from '#contract/forms/desk.ts';
import { call } from '#web/kit/call.ts';
import { openInTab } from '#web/kit/open-in-tab.ts';
import { Button, IconButton } from '#web/panel/ui/button.tsx';
import { EmptyState } from '#web/panel/ui/empty-state.tsx';
import { CloseIcon } from '#web/icons/close.tsx';
import { DownloadIcon } from '#web/icons/download.tsx';
import { ExternalIcon } from '#web/icons/external.tsx';
import { PrintIcon } from '#web/icons/print.tsx';
import { WarningIcon } from '#web/icons/warning.tsx';
import { Skeleton } from '#web/panel/ui/skeleton.tsx';
import { Trouble } from '#web/panel/ui/trouble.tsx';
import { FormShares } from './form-shares.tsx';
import css from './forms.module.css';
import { useDownload } from './use-download.ts';
import { useFormUrl } from './use-forms.ts';

/** One form beside the list, in the browser's own viewer. */
export function FormViewer({ formKey, title, onClose }: { formKey: string; title: string; onClose: () => void }) {
  const { t } = useLingui();
  const frame = useRef<HTMLIFrameElement>(null);
  const link = useFormUrl(formKey);
  const download = useDownload();
  const tab = useOpenInTab();
  const hasViewer = navigator.pdfViewerEnabled;
  const print = () => {
    frame.current?.contentWindow?.focus();
    frame.current?.contentWindow?.print();
  };
  return (
    <section className={css.viewer} aria-label={title}>
      <div className={css.viewerTop}>
        <h2 tabIndex={-1} data-form-title>
          {title}
        </h2>
        <IconButton label={t`Close form`} icon={CloseIcon} variant="subtle" tip="below-end" onClick={onClose} />
        <div className={css.viewerButtons}>
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
      <Trouble error={download.error ?? tab.error} />
      <FormShares formKey={formKey} />
      {link.isPending && <Skeleton height={320} />}
      {link.isError && (
        <EmptyState
          icon={WarningIcon}
          title={t`The form could not be opened`}
          action={
            <Button busy={link.isFetching} onClick={() => void link.refetch()}>
              {t`Try again`}
            </Button>
          }
        >
          <Trouble error={link.error} />
        </EmptyState>
      )}
      {link.data && hasViewer && <iframe ref={frame} className={css.paper} src={link.data.url} title={title} />}
      {link.data && !hasViewer && (
        <p className={css.note}>{t`This browser does not show the form here. Open it in a new tab or download it.`}</p>
      )}
    </section>
  );
}

function useOpenInTab() {
  return useMutation({
    mutationFn: (key: string) => openInTab(async () => (await call(readFormUrl, { query: { key } })).url),
  });
}
