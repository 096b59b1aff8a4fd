import { Plural, useLingui } from '@lingui/react/macro';
import type { MouseEvent } from 'react';
import { mostRows } from '#contract/sms.ts';
import { Banner } from '#web/panel/ui/banner.tsx';
import { Button } from '#web/panel/ui/button.tsx';
import { PhoneRow } from './phone-row.tsx';
import type { ListMode } from './rows-draft.ts';
import css from './sms.module.css';
import { UploadList } from './upload-list.tsx';
import type { BulkFormState } from './use-bulk-form.ts';

interface BulkRowsProps {
  bulk: BulkFormState;
  mode: ListMode;
  /** The form can read a file. */
  mayUpload: boolean;
}

/** The rows of a list, and the buttons that add and filter them. */
export function BulkRows({ bulk, mode, mayUpload }: BulkRowsProps) {
  const { t } = useLingui();
  const { rows, hiddenCount } = bulk;
  return (
    <>
      <WithoutTimeColumn bulk={bulk} />
      <ul className={css.rows} aria-label={t`Recipients`}>
        {bulk.shown.map((row) => (
          <PhoneRow
            key={row.key}
            row={row}
            mode={mode}
            problems={bulk.problemsOf(row)}
            isOnly={rows.length === 1}
            onChange={bulk.change}
            onRemove={() => bulk.remove(row)}
          />
        ))}
      </ul>
      {hiddenCount > 0 && <Button onClick={bulk.showMore}>{t`Show more rows (${hiddenCount})`}</Button>}
      <div className={css.buttons}>
        <Button locked={rows.length >= mostRows} onClick={bulk.addRow}>
          {t`+ Add phone number`}
        </Button>
        {mayUpload && <UploadList onList={bulk.addList} />}
        {bulk.mayFilter && (
          <Button aria-pressed={bulk.onlyBad} onClick={() => bulk.setOnlyBad(!bulk.onlyBad)}>
            {bulk.onlyBad ? t`Show all rows` : t`Show only the rows with errors`}
          </Button>
        )}
        <p className={css.note} role="status">
          {rows.length > 1 && <Plural value={rows.length} one="# row" other="# rows" />}
        </p>
      </div>
    </>
  );
}

/** A list of numbers alone is mended at once, and not row by row. */
function WithoutTimeColumn({ bulk: { withoutTimeColumn, leaveTimesEmpty } }: { bulk: BulkFormState }) {
  const { t } = useLingui();
  if (withoutTimeColumn < 2) return null;
  const mend = ({ currentTarget: { form } }: MouseEvent<HTMLButtonElement>) => {
    leaveTimesEmpty();
    // This button is gone after the press.
    form?.querySelector<HTMLElement>('[type=submit]')?.focus();
  };
  return (
    <Banner tone="amber" action={<Button size="s" onClick={mend}>{t`Leave the time empty`}</Button>}>
      <Plural
        value={withoutTimeColumn}
        one="# row has no second column: date and time to send. If you leave it empty, the text goes out when you send the list."
        other="# rows have no second column: date and time to send. If you leave it empty, the texts go out when you send the list."
      />
    </Banner>
  );
}
