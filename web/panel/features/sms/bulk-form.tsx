import { Plural, useLingui } from '@lingui/react/macro';
import { useRef, useState, type FormEvent } from 'react';
import { mostRows, type Sms, type SmsPreview } from '#contract/sms.ts';
import { SendIcon } from '#web/icons/send.tsx';
import { serverNow } from '#web/kit/clock.ts';
import { errorMessage } from '#web/kit/error-messages.ts';
import { useOfficeZone } from '#web/kit/format.tsx';
import { useLanguage } from '#web/kit/i18n.ts';
import { Button } from '#web/panel/ui/button.tsx';
import { Card } from '#web/panel/ui/card.tsx';
import { toast } from '#web/panel/ui/toasts.ts';
import { ConfirmSend } from './confirm-send.tsx';
import { MessageField } from './message-field.tsx';
import { PhoneRow } from './phone-row.tsx';
import {
  isWrong,
  newRow,
  problemsOf,
  toDeliveryOptions,
  withList,
  type DraftRow,
  type ListMode,
} from './rows-draft.ts';
import css from './sms.module.css';
import { UploadList } from './upload-list.tsx';
import { usePreview, useSend } from './use-sms.ts';

/** Rows on screen at first; more by a button, so that a list of 10,000 does not slow the page down. */
const shownAtFirst = 25;

interface BulkFormProps {
  defaultText: string;
  /** Rows of a file that was uploaded already; without it, the form can read a file. */
  list?: readonly DraftRow[];
  /** What the times of the list are. */
  mode?: ListMode;
  /** The list was sent. */
  onSent?: () => void;
}

/** Texts a list of numbers, each now or at its time. A sheet says who is texted before anything is sent. */
export function BulkForm({ defaultText, list, mode = 'send-time', onSent }: BulkFormProps) {
  const { t } = useLingui();
  const timeZone = useOfficeZone();
  const [message, setMessage] = useState(defaultText);
  const [rows, setRows] = useState<DraftRow[]>(() => (list ? [...list] : [newRow()]));
  const [shownCount, setShownCount] = useState(shownAtFirst);
  const [onlyBad, setOnlyBad] = useState(false);
  const [tried, setTried] = useState(false);
  const [sheet, setSheet] = useState<{ sms: Sms; preview: SmsPreview } | null>(null);
  const form = useRef<HTMLFormElement>(null);
  const preview = usePreview();
  const send = useSend();

  const atMost = mostRows.toLocaleString(useLanguage());
  const judging = { timeZone, now: serverNow(), mode };
  const isMarked = (row: DraftRow) => tried || row.wrong !== undefined || row.refused === true;
  const bad = rows.filter((row) => isMarked(row) && isWrong(row, judging));
  const hasBadTime = bad.some((row) => problemsOf(row, judging).time);
  const isEmpty = message.trim() === '';
  const isTooLong = rows.length > mostRows;
  const listed = onlyBad && bad.length > 0 ? bad : rows;

  const change = (changed: DraftRow) => setRows(rows.map((row) => (row.key === changed.key ? changed : row)));
  const focusFirstBad = () =>
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus());

  const review = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (preview.isPending || isTooLong) return;
    if (isEmpty || rows.some((row) => isWrong(row, judging))) return focusFirstBad();
    const sms = { message, deliveryOptions: toDeliveryOptions(rows, timeZone, mode) };
    preview.mutate(sms, {
      onSuccess: (answer) => {
        // Landlines are left out; everything else that is wrong must be corrected first.
        if (answer.badNumbers + answer.badTimes === answer.landlines) return setSheet({ sms, preview: answer });
        setRows(rows.map((row, i) => ({ ...row, refused: answer.rows[i]?.status === 'bad-number' })));
        focusFirstBad();
      },
      onError: (error) =>
        toast({
          tone: 'red',
          title: t`We couldn't send your SMS`,
          text: errorMessage(error, t`The server could not be reached. Try again.`),
          seconds: 30,
        }),
    });
  };
  const confirm = (sms: Sms) =>
    send.mutate(sms, {
      onSuccess: () => {
        setRows([newRow()]);
        setTried(false);
        setOnlyBad(false);
        setShownCount(shownAtFirst);
        onSent?.();
      },
      onSettled: () => setSheet(null),
    });

  return (
    <Card>
      <form ref={form} className={css.form} onSubmit={review} noValidate>
        <MessageField
          value={message}
          onChange={setMessage}
          defaultText={defaultText}
          error={tried && isEmpty ? t`Please write a message first.` : undefined}
        />
        <ul className={css.rows} aria-label={t`Recipients`}>
          {listed.slice(0, shownCount).map((row) => (
            <PhoneRow
              key={row.key}
              row={row}
              mode={mode}
              problems={isMarked(row) ? problemsOf(row, judging) : { phone: false, time: false }}
              isOnly={rows.length === 1}
              onChange={change}
              onRemove={() => setRows(rows.filter(({ key }) => key !== row.key))}
            />
          ))}
        </ul>
        {listed.length > shownCount && (
          <Button onClick={() => setShownCount(shownCount + 200)}>
            {t`Show more rows (${listed.length - shownCount})`}
          </Button>
        )}
        <div className={css.buttons}>
          <Button
            locked={rows.length >= mostRows}
            onClick={() => {
              setOnlyBad(false);
              setRows([...rows, newRow()]);
              setShownCount(Math.max(shownCount, rows.length + 1));
            }}
          >
            {t`+ Add phone number`}
          </Button>
          {!list && (
            <UploadList
              onList={(added) => {
                setRows(withList(rows, added));
                setOnlyBad(false);
              }}
            />
          )}
          {bad.length > 0 && rows.length > shownAtFirst && (
            <Button aria-pressed={onlyBad} onClick={() => setOnlyBad(!onlyBad)}>
              {onlyBad ? t`Show all rows` : t`Show only the rows with errors`}
            </Button>
          )}
          <p className={css.note} role="status">
            {rows.length > 1 && <Plural value={rows.length} one="# row" other="# rows" />}
          </p>
        </div>
        <div className={css.errors} role="alert">
          {isTooLong && (
            <p>
              {t`One send takes ${atMost} rows at most. Remove rows here, or split the file and send its parts one after the other.`}
            </p>
          )}
          {bad.length > 0 && <p>{t`Please fix the errors in the form`}</p>}
          {hasBadTime && (
            <p>
              {mode === 'appointment'
                ? t`Some appointments have no clear time, are in the past, or are more than 7 days from now.`
                : t`Some dates are outside of the allowed range. Scheduled dates must be at least 30 minutes from now and no more than 7 days from now.`}
            </p>
          )}
        </div>
        <div className={css.buttons}>
          <Button type="submit" variant="filled" icon={SendIcon} busy={preview.isPending || send.isPending}>
            {mode === 'appointment' ? t`Schedule texts` : t`Send SMS`}
          </Button>
        </div>
      </form>
      {sheet && (
        <ConfirmSend
          {...sheet}
          mode={mode}
          isSending={send.isPending}
          onConfirm={() => confirm(sheet.sms)}
          onClose={() => setSheet(null)}
        />
      )}
    </Card>
  );
}
