import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { maxBulkDownload, type FormItem } from '#contract/forms/desk.ts';
import { locales, useLanguage } from '#web/kit/i18n.ts';
import { Button } from '#web/panel/ui/button.tsx';
import { Checkbox } from '#web/panel/ui/field.tsx';
import { VisuallyHidden } from '#web/kit/visually-hidden.tsx';
import { DownloadZip } from './download-zip.tsx';
import css from './selection-bar.module.css';
import type { Selection } from './use-selection.ts';

/** Selects the forms of the page, and downloads those selected on any page. */
export function SelectionBar({ forms, selection }: { forms: readonly FormItem[]; selection: Selection }) {
  const { t } = useLingui();
  const language = useLanguage();
  const { keys, select, clear } = selection;
  const count = keys.size;
  const here = forms.map(({ objectKey }) => objectKey);
  const selectedHere = here.filter((key) => keys.has(key)).length;
  const most = maxBulkDownload.toLocaleString(locales[language]);
  return (
    <div className={css.selection} data-empty={count === 0 || undefined}>
      <Checkbox
        label={t`Select all on this page`}
        ref={(box) => {
          if (box) box.indeterminate = selectedHere > 0 && selectedHere < here.length;
        }}
        checked={selectedHere === here.length}
        onChange={(event) => select(here, event.target.checked)}
      />
      <DownloadZip
        locked={count === 0}
        keysOf={() => Promise.resolve([...keys])}
        beside={count > 0 && <Button size="s" variant="subtle" onClick={clear}>{t`Clear selection`}</Button>}
      >
        {t`Download selected (${count})`}
      </DownloadZip>
      <VisuallyHidden role="status">
        {count > 0 && plural(count, { one: '# form selected', other: '# forms selected' })}
      </VisuallyHidden>
      {count > 0 && (
        <p className={css.limit}>{t`One zip holds up to ${most} forms; more are downloaded as several zips.`}</p>
      )}
    </div>
  );
}
