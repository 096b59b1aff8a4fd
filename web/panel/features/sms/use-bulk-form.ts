import { useLingui } from '@lingui/react/macro';
import { useEffect, useRef, useState, type FormEvent } from 'react';
import { longestText, mostRows, type Sms, type SmsPreview } from '#contract/sms.ts';
import { serverNow } from '#web/kit/clock.ts';
import { errorMessage } from '#web/kit/error-messages.ts';
import { useOfficeZone } from '#web/kit/format.tsx';
import { focusFirstWrong } from '#web/panel/ui/focus-first-wrong.ts';
import { toast } from '#web/panel/ui/toasts.ts';
import {
  hasNoTimeColumn,
  isMarkedAtOnce,
  isOutOfRange,
  isWrong,
  newRow,
  problemsOf,
  toDeliveryOptions,
  withList,
  withTime,
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
  const reportChange = useReportChange();
  /** What is on screen, also for an answer that comes after it has changed. */
  const onScreen = useRef({ message, rows });
  useEffect(() => {
    onScreen.current = { message, rows };
  }, [message, rows]);

  const judging = { timeZone, now: serverNow(), mode };
  const isMarked = (row: DraftRow) => tried || isMarkedAtOnce(row);
  const bad = rows.filter((row) => isMarked(row) && isWrong(row, judging));
  const listed = onlyBad && bad.length > 0 ? bad : rows;
  const isEmpty = message.trim() === '';
  const isTooLong = rows.length > mostRows;
  /** Goes to the first row that is wrong; in a long list, it may be further down than the rows on screen. */
  const showFirstBad = (form: HTMLFormElement, wrong: readonly DraftRow[]) => {
    const onPage = new Set(listed.slice(0, shownCount).map(({ key }) => key));
    if (wrong.length > 0 && !wrong.some(({ key }) => onPage.has(key))) setOnlyBad(true);
    focusFirstWrong(form);
  };

  return {
    message,
    setMessage,
    isMessageMissing: tried && isEmpty,
    rows,
    shown: listed.slice(0, shownCount),
    hiddenCount: Math.max(0, listed.length - shownCount),
    badCount: bad.length,
    hasBadTime: bad.some((row) => problemsOf(row, judging).time),
    hasTimeOutOfRange: bad.some((row) => isOutOfRange(row, judging)),
    isTooLong,
    onlyBad,
    setOnlyBad,
    mayFilter: bad.length > 0 && rows.length > shownAtFirst,
    problemsOf: (row: DraftRow) => (isMarked(row) ? problemsOf(row, judging) : { phone: false, time: false }),
    change: (changed: DraftRow) => setRows((now) => now.map((row) => (row.key === changed.key ? changed : row))),
    withoutTimeColumn: rows.filter(hasNoTimeColumn).length,
    leaveTimesEmpty: () => setRows((now) => now.map((row) => (hasNoTimeColumn(row) ? withTime(row, null) : row))),
    remove: ({ key }: DraftRow) => setRows((now) => now.filter((row) => row.key !== key)),
    showMore: () => setShownCount(shownCount + shownByButton),
    addRow: () => {
      setOnlyBad(false);
      setRows((now) => [...now, newRow()]);
      setShownCount(Math.max(shownCount, rows.length + 1));
    },
    addList: (added: readonly DraftRow[]) => {
      setRows((now) => withList(now, added));
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
      const wrong = rows.filter((row) => isWrong(row, judging));
      if (isEmpty || message.length > longestText || wrong.length > 0) return showFirstBad(form, wrong);
      const sms = { message, deliveryOptions: toDeliveryOptions(rows, timeZone, mode) };
      preview.mutate(sms, {
        onSuccess: (answer) => {
          const { current } = onScreen;
          if (answer.badNumbers + answer.badTimes > 0) {
            const refused = rows.filter((_, i) => answer.rows[i]?.status === 'bad-number');
            // A row that was changed meanwhile is judged anew.
            const judged = new Set(rows);
            setRows((now) => now.map((row) => (judged.has(row) ? { ...row, refused: refused.includes(row) } : row)));
            showFirstBad(form, refused);
          } else if (current.message !== message || current.rows !== rows) reportChange();
          else setSheet({ sms, preview: answer });
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

/** The sheet would show, and send, what is no longer on screen. */
function useReportChange(): () => void {
  const { t } = useLingui();
  return () =>
    void toast({
      tone: 'amber',
      title: t`Nothing was sent yet`,
      text: t`The message or the numbers changed while they were checked. Please press Send SMS again.`,
    });
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
