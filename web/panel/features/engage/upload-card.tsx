import { Plural, useLingui } from '@lingui/react/macro';
import { useEffect, useRef, useState, type RefObject } from 'react';
import { CheckCircleIcon } from '#web/icons/check-circle.tsx';
import { UploadIcon } from '#web/icons/upload.tsx';
import { useNow } from '#web/kit/clock.ts';
import { formatDay, useOfficeZone } from '#web/kit/format.tsx';
import { useLanguage } from '#web/kit/i18n.ts';
import { useSession } from '#web/kit/session.ts';
import { useQueueSettings } from '#web/panel/features/practice/index.ts';
import { dayOf } from '#web/kit/office-clock.ts';
import {
  BulkForm,
  listFiles,
  useListErrorText,
  useOffice,
  usePhoneList,
  type ListMode,
} from '#web/panel/features/sms/index.ts';
import { Banner } from '#web/panel/ui/banner.tsx';
import { Button } from '#web/panel/ui/button.tsx';
import { Card } from '#web/panel/ui/card.tsx';
import { DropZone } from '#web/panel/ui/drop-zone.tsx';
import { LoadError } from '#web/panel/ui/load-error.tsx';
import { Tabs } from '#web/panel/ui/tabs.tsx';
import { nextBusinessDay } from './business-day.ts';
import css from './engage.module.css';

/** A short list is read at once: 'Uploading your file...' stays long enough to be read. */
const uploadingAtLeastMs = 600;

/**
 * 'Upload a List': a file of phone numbers, or of the next business day's appointments. Nothing is sent before the desk has seen its rows
 * and confirmed.
 */
export function UploadCard() {
  const { t } = useLingui();
  const { flags } = useSession();
  const [mode, setMode] = useState<ListMode>(flags.disableCheckin ? 'send-time' : 'appointment');
  const office = useOffice();
  const list = usePhoneList(uploadingAtLeastMs);
  const appointmentDay = useAppointmentDay();
  const panel = useRef<HTMLDivElement>(null);
  useFocusOnChange(panel, list.status);
  const upload = (file: File) => list.mutate({ file, appointmentDay: mode === 'appointment' ? appointmentDay : null });
  return (
    <>
      <Card title={t`Upload a List`}>
        {!list.isSuccess && !list.isPending && (
          <Tabs
            label={t`What is in the list`}
            panelId="upload-list"
            value={mode}
            onChange={(next) => {
              setMode(next);
              list.reset();
            }}
            tabs={[
              { id: 'appointment', label: t`Appointments` },
              { id: 'send-time', label: t`Phone numbers` },
            ]}
          />
        )}
        <div
          ref={panel}
          id="upload-list"
          role="tabpanel"
          aria-label={t`Upload a List`}
          tabIndex={-1}
          className={css.upload}
        >
          {list.isPending || list.isSuccess ? (
            <Progress list={list} />
          ) : (
            <PickList mode={mode} day={appointmentDay} error={list.error} onFile={upload} />
          )}
          {list.isSuccess && (
            <div>
              <Button onClick={() => list.reset()}>{t`Start Over`}</Button>
            </div>
          )}
          {list.isSuccess && office.isError && <LoadError title={t`The message could not be loaded.`} query={office} />}
        </div>
      </Card>
      {list.isSuccess && office.data && (
        <BulkForm defaultText={office.data.sms} list={list.data} mode={mode} onSent={() => list.reset()} />
      )}
    </>
  );
}

/** The button that was pressed is gone after a change. */
function useFocusOnChange(element: RefObject<HTMLElement | null>, status: string): void {
  const lastStatus = useRef(status);
  useEffect(() => {
    if (lastStatus.current !== status) element.current?.focus();
    lastStatus.current = status;
  }, [element, status]);
}

/** The next business day of the office. */
function useAppointmentDay(): string {
  const settings = useQueueSettings();
  const today = dayOf(useNow(), useOfficeZone());
  return nextBusinessDay(today, settings.data ?? { openingHours: null });
}

interface PickListProps {
  mode: ListMode;
  day: string;
  error: Error | null;
  onFile: (file: File) => void;
}

function PickList({ mode, day, error, onFile }: PickListProps) {
  const { t } = useLingui();
  const language = useLanguage();
  const errorText = useListErrorText();
  const dayName = formatDay(`${day}T00:00:00Z`, language, 'UTC');
  return (
    <>
      <p className={css.note}>
        {mode === 'appointment'
          ? t`A .csv file with the name, phone number and appointment time of the next business day’s patients. If there is no date, we use ${dayName}. Each person is texted before the appointment.`
          : t`A .csv file. First column: phone number. Second column: date and time to send; leave it empty to send now.`}
      </p>
      {error && (
        <Banner tone="red">
          {t`The list was not read`}. {errorText(error)}
        </Banner>
      )}
      <DropZone icon={UploadIcon} browse={t`Browse`} label={t`CSV file`} accept={listFiles} onFile={onFile}>
        {t`Drag and drop your file here, or browse`}
      </DropZone>
    </>
  );
}

function Progress({ list }: { list: ReturnType<typeof usePhoneList> }) {
  const { t } = useLingui();
  return (
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
            <bdi>{list.variables.file.name}</bdi>, <Plural value={list.data.length} one="# row" other="# rows" />
          </span>
        </p>
      )}
    </div>
  );
}
