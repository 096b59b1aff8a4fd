import { useLingui } from '@lingui/react/macro';
import { useState, type FormEvent } from 'react';
import { longestText, mostRows, type Sms, type SmsPreview } from '#contract/sms.ts';
import { serverNow } from '#web/kit/clock.ts';
import { errorMessage } from '#web/kit/error-messages.ts';
import { useOfficeZone } from '#web/kit/format.tsx';
import { toast } from '#web/panel/ui/toasts.ts';
import {
  isWrong,
  newRow,
  problemsOf,
  toDeliveryOptions,
  withList,
  type DraftRow,
  type ListMode,
} from './rows-draft.ts';
import { usePreview, useSend } from './use-sms.ts';

/** Rows on screen at first; more by a button, so that a list of 10,000 does not slow the page down. */
const shownAtFirst = 25;
const shownByButton = 200;

interface BulkFormStart {
  defaultText: string;
  list: readonly DraftRow[] | undefined;
  mode: ListMode;
  onSent: (() => void) | undefined;
}

/** The form of a send to a list: its message and rows, what is wrong with them, and the sheet before it is sent. */
export function useBulkForm({ defaultText, list, mode, onSent }: BulkFormStart) {
  const timeZone = useOfficeZone();
  const [message, setMessage] = useState(defaultText);
  const [rows, setRows] = useState<DraftRow[]>(() => (list ? [...list] : [newRow()]));
  const [shownCount, setShownCount] = useState(shownAtFirst);
  const [onlyBad, setOnlyBad] = useState(false);
  const [tried, setTried] = useState(false);
  const [sheet, setSheet] = useState<{ sms: Sms; preview: SmsPreview } | null>(null);
  const preview = usePreview();
  const send = useSend();
  const reportFailure = useReportFailure();

  const judging = { timeZone, now: serverNow(), mode };
  const isMarked = (row: DraftRow) => tried || Boolean(row.wrong) || row.refused === true;
  const bad = rows.filter((row) => isMarked(row) && isWrong(row, judging));
  const listed = onlyBad && bad.length > 0 ? bad : rows;
  const isEmpty = message.trim() === '';
  const isTooLong = rows.length > mostRows;

  return {
    message,
    setMessage,
    isMessageMissing: tried && isEmpty,
    rows,
    shown: listed.slice(0, shownCount),
    hiddenCount: Math.max(0, listed.length - shownCount),
    badCount: bad.length,
    hasBadTime: bad.some((row) => problemsOf(row, judging).time),
    isTooLong,
    onlyBad,
    setOnlyBad,
    mayFilter: bad.length > 0 && rows.length > shownAtFirst,
    problemsOf: (row: DraftRow) => (isMarked(row) ? problemsOf(row, judging) : { phone: false, time: false }),
    change: (changed: DraftRow) => setRows(rows.map((row) => (row.key === changed.key ? changed : row))),
    remove: ({ key }: DraftRow) => setRows(rows.filter((row) => row.key !== key)),
    showMore: () => setShownCount(shownCount + shownByButton),
    addRow: () => {
      setOnlyBad(false);
      setRows([...rows, newRow()]);
      setShownCount(Math.max(shownCount, rows.length + 1));
    },
    addList: (added: readonly DraftRow[]) => {
      setRows(withList(rows, added));
      setOnlyBad(false);
    },
    sheet,
    closeSheet: () => setSheet(null),
    isSending: send.isPending,
    isBusy: preview.isPending || send.isPending,
    review: (event: FormEvent<HTMLFormElement>) => {
      event.preventDefault();
      const form = event.currentTarget;
      setTried(true);
      if (preview.isPending || isTooLong) return;
      if (isEmpty || message.length > longestText || rows.some((row) => isWrong(row, judging)))
        return focusFirstBad(form);
      const sms = { message, deliveryOptions: toDeliveryOptions(rows, timeZone, mode) };
      preview.mutate(sms, {
        onSuccess: (answer) => {
          if (answer.badNumbers + answer.badTimes === 0) return setSheet({ sms, preview: answer });
          setRows(rows.map((row, i) => ({ ...row, refused: answer.rows[i]?.status === 'bad-number' })));
          focusFirstBad(form);
        },
        onError: reportFailure,
      });
    },
    confirm: (sms: Sms) =>
      send.mutate(sms, {
        onSuccess: () => {
          setRows([newRow()]);
          setTried(false);
          setOnlyBad(false);
          setShownCount(shownAtFirst);
          onSent?.();
        },
        onSettled: () => setSheet(null),
      }),
  };
}
export type BulkFormState = ReturnType<typeof useBulkForm>;

/** After the next paint, when the fields are marked. */
function focusFirstBad(form: HTMLFormElement): void {
  requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid]')?.focus());
}

function useReportFailure(): (error: Error) => void {
  const { t } = useLingui();
  return (error) =>
    void toast({
      tone: 'red',
      title: t`We couldn't send your SMS`,
      text: errorMessage(error, t`The server could not be reached. Try again.`),
      seconds: 30,
    });
}
