import { Plural, useLingui } from '@lingui/react/macro';
import { useEffect, useRef } from 'react';
import { CheckCircleIcon } from '#web/icons/check-circle.tsx';
import { UploadIcon } from '#web/icons/upload.tsx';
import { BulkForm, listFiles, useListErrorText, useOffice, usePhoneList } from '#web/panel/features/sms/index.ts';
import { Banner } from '#web/panel/ui/banner.tsx';
import { Button } from '#web/panel/ui/button.tsx';
import { Card } from '#web/panel/ui/card.tsx';
import { DropZone } from '#web/panel/ui/drop-zone.tsx';
import { LoadError } from '#web/panel/ui/load-error.tsx';
import css from './engage.module.css';

/** A short list is read at once: 'Uploading your file...' stays long enough to be read. */
const uploadingAtLeastMs = 600;

/** 'Upload a List': a file of phone numbers. Nothing is sent before the desk has seen its rows and confirmed. */
export function UploadCard() {
  const { t } = useLingui();
  const office = useOffice();
  const list = usePhoneList(uploadingAtLeastMs);
  const errorText = useListErrorText();
  const state = useRef<HTMLDivElement>(null);
  const { status } = list;
  const lastStatus = useRef(status);
  useEffect(() => {
    // The button that was pressed is gone.
    if (lastStatus.current !== status) state.current?.focus();
    lastStatus.current = status;
  }, [status]);

  return (
    <>
      <Card title={t`Upload a List`}>
        <div ref={state} tabIndex={-1} className={css.upload}>
          {(list.isIdle || list.isError) && (
            <>
              <p className={css.note}>
                {t`A .csv file. First column: phone number. Second column: date and time to send; leave it empty to send now.`}
              </p>
              {list.isError && (
                <Banner tone="red">
                  {t`The list was not read`}. {errorText(list.error)}
                </Banner>
              )}
              <DropZone
                icon={UploadIcon}
                browse={t`Browse`}
                label={t`CSV file`}
                accept={listFiles}
                onFile={(file) => list.mutate(file)}
              >
                {t`Drag and drop your file here, or browse`}
              </DropZone>
            </>
          )}
          <div role="status">
            {list.isPending && (
              <div className={css.uploading}>
                <p>{t`Uploading your file...`}</p>
                <progress aria-label={t`Uploading your file...`} />
              </div>
            )}
            {list.isSuccess && (
              <p className={css.completed}>
                <CheckCircleIcon />
                <strong>{t`Upload Completed`}</strong>
                <span className={css.note}>
                  <bdi>{list.variables.name}</bdi>, <Plural value={list.data.length} one="# row" other="# rows" />
                </span>
              </p>
            )}
          </div>
          {list.isSuccess && (
            <div>
              <Button onClick={() => list.reset()}>{t`Start Over`}</Button>
            </div>
          )}
          {list.isSuccess && office.isError && <LoadError title={t`The message could not be loaded.`} query={office} />}
        </div>
      </Card>
      {list.isSuccess && office.data && (
        <BulkForm defaultText={office.data.sms} list={list.data} onSent={() => list.reset()} />
      )}
    </>
  );
}
