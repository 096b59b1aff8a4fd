import { useLingui } from '@lingui/react/macro';
import { useId, useRef } from 'react';
import { Button } from '#web/panel/ui/button.tsx';
import { toast } from '#web/panel/ui/toasts.ts';
import type { DraftRow } from './rows-draft.ts';
import css from './sms.module.css';
import { listFiles, useListErrorText, usePhoneList } from './use-phone-list.ts';

/** '+ Upload CSV': adds the rows of a file to the form, where wrong ones can be corrected. */
export function UploadList({ onList }: { onList: (rows: DraftRow[]) => void }) {
  const { t } = useLingui();
  const tipId = useId();
  const input = useRef<HTMLInputElement>(null);
  const list = usePhoneList();
  const errorText = useListErrorText();

  const read = (file: File | undefined) => {
    if (!file) return;
    list.mutate(
      { file, appointmentDay: null },
      {
        onSuccess: onList,
        onError: (error) =>
          toast({ tone: 'red', title: t`The list was not read`, text: errorText(error), seconds: 10 }),
      },
    );
  };
  const tip = t`First column: phone number. Second column: date and time to send.`;
  return (
    <>
      <input
        ref={input}
        type="file"
        accept={listFiles}
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
