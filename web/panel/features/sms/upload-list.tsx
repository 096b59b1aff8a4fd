import { useLingui } from '@lingui/react/macro';
import { useId, useRef } from 'react';
import { mostRows } from '#contract/sms.ts';
import { Button } from '#web/panel/ui/button.tsx';
import { toast } from '#web/panel/ui/toasts.ts';
import type { ListRow } from './read-phone-list.ts';
import css from './sms.module.css';
import { UnreadableList, usePhoneList } from './use-phone-list.ts';

/** '+ Upload CSV': adds the rows of a file to the form, where wrong ones can be corrected. */
export function UploadList({ onList }: { onList: (rows: ListRow[]) => void }) {
  const { t } = useLingui();
  const tipId = useId();
  const input = useRef<HTMLInputElement>(null);
  const list = usePhoneList();
  const failed = (text: string) => toast({ tone: 'red', title: t`The list was not read`, text, seconds: 10 });

  const read = (file: File | undefined) => {
    if (!file) return;
    list.mutate(file, {
      onSuccess: (rows) =>
        rows.length > 0 ? onList(rows) : failed(t`There is no phone number in the first column of this file.`),
      onError: (error) =>
        failed(
          error instanceof UnreadableList && error.reason === 'too-many-rows'
            ? t`One send can have ${mostRows} rows at most. Please split the list.`
            : t`Please save it as CSV and try again.`,
        ),
    });
  };
  const tip = t`First column: phone number. Second column: date and time to send.`;
  return (
    <>
      <input
        ref={input}
        type="file"
        accept=".csv,.txt,.tsv,text/csv,text/plain"
        className={css.file}
        tabIndex={-1}
        aria-label={t`CSV file`}
        onChange={(event) => {
          read(event.target.files?.[0]);
          // The same file can be chosen again after it was corrected.
          event.target.value = '';
        }}
      />
      <Button
        busy={list.isPending}
        data-tip={tip}
        data-tip-at="below"
        aria-describedby={tipId}
        onClick={() => input.current?.click()}
      >
        {t`+ Upload CSV`}
      </Button>
      <span id={tipId} hidden>
        {tip}
      </span>
    </>
  );
}
