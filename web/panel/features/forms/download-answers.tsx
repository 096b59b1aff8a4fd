import { useLingui } from '@lingui/react/macro';
import { RowsIcon } from '#web/icons/rows.tsx';
import { Button } from '#web/panel/ui/button.tsx';
import { ErrorText } from '#web/panel/ui/trouble.tsx';
import css from './download-zip.module.css';
import { useDownloadAnswers } from './use-download-answers.ts';
import type { Filter } from './use-forms.ts';

/** Downloads the answers of the forms on the list as a table for a spreadsheet. */
export function DownloadAnswers({ filter }: { filter: Filter }) {
  const { t } = useLingui();
  const download = useDownloadAnswers();
  return (
    <div className={css.zip}>
      <Button size="s" icon={RowsIcon} busy={download.isPending} onClick={() => download.mutate(filter)}>
        {t`Download answers (CSV)`}
      </Button>
      <ErrorText error={download.error} />
    </div>
  );
}
