import { useLingui } from '@lingui/react/macro';
import { useRef, useState, type RefObject } from 'react';
import { Button, IconButton } from '#web/panel/ui/button.tsx';
import { LoadError } from '#web/panel/ui/load-error.tsx';
import { CloseIcon } from '#web/icons/close.tsx';
import { DownloadIcon } from '#web/icons/download.tsx';
import { ExternalIcon } from '#web/icons/external.tsx';
import { FormIcon } from '#web/icons/form.tsx';
import { PaperIcon } from '#web/icons/paper.tsx';
import { MoreIcon } from '#web/icons/more.tsx';
import { PrintIcon } from '#web/icons/print.tsx';
import { RowsIcon } from '#web/icons/rows.tsx';
import { Menu, MenuItem } from '#web/panel/ui/menu.tsx';
import { Skeleton } from '#web/panel/ui/skeleton.tsx';
import { ErrorText } from '#web/panel/ui/trouble.tsx';
import { AnswersPane } from './answers-pane.tsx';
import { FormShares } from './form-shares.tsx';
import css from './form-viewer.module.css';
import { useDownloadForm, useDownloadResponse, useFormUrl, useOpenForm } from './use-form-file.ts';
import { ValuesPane } from './values-pane.tsx';

/** One form beside the list: its answers as text, and on request its PDF in the browser's viewer. */
export function FormViewer({ formKey, title, onClose }: { formKey: string; title: string; onClose: () => void }) {
  const { t } = useLingui();
  const [shown, setShown] = useState<'answers' | 'pdf' | 'values'>('answers');
  const [prints, setPrints] = useState(false);
  const showsPdf = shown === 'pdf';
  const showsValues = shown === 'values';
  const frame = useRef<HTMLIFrameElement>(null);
  const download = useDownloadForm();
  const data = useDownloadResponse();
  const tab = useOpenForm();
  const hasViewer = navigator.pdfViewerEnabled;
  const printPdf = () => {
    frame.current?.contentWindow?.focus();
    frame.current?.contentWindow?.print();
  };
  // Without a viewer, what is on screen.
  const print = () => {
    if (!hasViewer) return window.print();
    if (showsPdf) return printPdf();
    setPrints(true);
    setShown('pdf');
  };
  const show = (what: typeof shown) => {
    setPrints(false);
    setShown(what);
  };
  return (
    <section className={css.viewer} aria-label={title}>
      <div className={css.top}>
        <h2 tabIndex={-1} data-form-title>
          {title}
        </h2>
        <IconButton label={t`Close form`} icon={CloseIcon} variant="subtle" tip="below-end" onClick={onClose} />
        <div className={css.buttons}>
          {showsPdf || showsValues ? (
            <Button size="s" icon={FormIcon} onClick={() => show('answers')}>
              {t`Show answers`}
            </Button>
          ) : (
            hasViewer && (
              <Button size="s" icon={PaperIcon} onClick={() => show('pdf')}>
                {t`Show PDF`}
              </Button>
            )
          )}
          <Button size="s" icon={PrintIcon} onClick={print}>
            {t`Print`}
          </Button>
          <Button size="s" icon={DownloadIcon} busy={download.isPending} onClick={() => download.mutate(formKey)}>
            {t`Download`}
          </Button>
          {(showsPdf || !hasViewer) && (
            <Button size="s" icon={ExternalIcon} busy={tab.isPending} onClick={() => tab.mutate(formKey)}>
              {t`Open in a new tab`}
            </Button>
          )}
          <Menu
            button={(props) => (
              <Button {...props} size="s" icon={MoreIcon} busy={data.isPending}>
                {t`More`}
              </Button>
            )}
          >
            <MenuItem icon={DownloadIcon} onSelect={() => data.mutate(formKey)}>
              {t`Download as FHIR`}
            </MenuItem>
            <MenuItem icon={RowsIcon} onSelect={() => show('values')}>
              {t`Show values`}
            </MenuItem>
          </Menu>
        </div>
      </div>
      <ErrorText error={download.error ?? data.error ?? tab.error} />
      {showsPdf ? (
        <Pdf formKey={formKey} title={title} frame={frame} onLoad={() => prints && printPdf()} />
      ) : showsValues ? (
        <ValuesPane formKey={formKey} />
      ) : (
        <AnswersPane formKey={formKey} />
      )}
      <FormShares formKey={formKey} />
    </section>
  );
}

interface PdfProps {
  formKey: string;
  title: string;
  frame: RefObject<HTMLIFrameElement | null>;
  onLoad: () => void;
}

function Pdf({ formKey, title, frame, onLoad }: PdfProps) {
  const { t } = useLingui();
  const link = useFormUrl(formKey);
  if (link.isPending) return <Skeleton height={320} />;
  if (link.isError)
    return (
      <LoadError title={t`The form could not be opened`} query={link}>
        <ErrorText error={link.error} />
      </LoadError>
    );
  return <iframe ref={frame} className={css.pdf} src={link.data.url} title={title} onLoad={onLoad} />;
}
