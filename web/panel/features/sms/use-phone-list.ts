import { useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { mostRowsRead } from '#contract/sms.ts';
import { serverNow } from '#web/kit/clock.ts';
import { useOfficeZone } from '#web/kit/format.tsx';
import type { PhoneListAnswer, PhoneListFile } from './phone-list-worker.ts';
import { unpackRows } from './packed-rows.ts';
import { isWrong, rowsOfList, type DraftRow } from './rows-draft.ts';

/** What the file chooser lists. */
export const listFiles = '.csv,.txt,.tsv,text/csv,text/plain';

/** A list of 50,000 numbers and times has two megabytes. */
const largestFile = 10_000_000;

class UnreadableList extends Error {
  readonly reason: 'too-many-rows' | 'unreadable' | 'empty';
  constructor(reason: UnreadableList['reason']) {
    super(reason);
    this.reason = reason;
  }
}

interface Upload {
  file: File;
  /** Of a list of appointments: the day of times without a date. */
  appointmentDay: string | null;
}

/** Reads an uploaded CSV in a web worker. `atLeastMs`: how long it takes at least, where a screen shows that it is being read. */
export function usePhoneList(atLeastMs = 0) {
  const timeZone = useOfficeZone();
  return useMutation({
    mutationFn: async ({ file, appointmentDay }: Upload): Promise<DraftRow[]> => {
      const [rows] = await Promise.all([
        readFile(file, { timeZone, appointmentDay }),
        new Promise((resolve) => setTimeout(resolve, atLeastMs)),
      ]);
      return rows;
    },
  });
}

/** Why a list was not read, and what helps. */
export function useListErrorText(): (error: Error) => string {
  const { t } = useLingui();
  return (error) => {
    const reason = error instanceof UnreadableList ? error.reason : 'unreadable';
    if (reason === 'empty') return t`There are no phone numbers in this file.`;
    if (reason === 'too-many-rows') return t`A file can have ${mostRowsRead} rows at most. Please split the list.`;
    return t`Please save it as CSV and try again.`;
  };
}

/** Rows that the page takes in without a pause. */
const rowsAtOnce = 1_000;

async function readFile(file: File, how: Omit<PhoneListFile, 'bytes'>): Promise<DraftRow[]> {
  if (file.size > largestFile) throw new UnreadableList('too-many-rows');
  const answer = await askWorker({ bytes: await file.arrayBuffer(), ...how });
  if ('error' in answer) throw new UnreadableList(answer.error);
  const judging = {
    timeZone: how.timeZone,
    now: serverNow(),
    mode: how.appointmentDay === null ? 'send-time' : 'appointment',
  } as const;
  const rows: DraftRow[] = [];
  for (const part of unpackRows(answer.rows, rowsAtOnce)) {
    for (const row of rowsOfList(part)) {
      rows.push(row);
      // Judged here, part by part: the form would judge all rows in one go and freeze.
      isWrong(row, judging);
    }
    await new Promise((resolve) => setTimeout(resolve));
  }
  if (rows.length === 0) throw new UnreadableList('empty');
  return rows;
}

function askWorker(file: PhoneListFile): Promise<PhoneListAnswer> {
  const worker = new Worker(new URL('./phone-list-worker.ts', import.meta.url), { type: 'module' });
  return new Promise<PhoneListAnswer>((resolve) => {
    worker.onmessage = ({ data }: MessageEvent<PhoneListAnswer>) => resolve(data);
    worker.onerror = () => resolve({ error: 'unreadable' });
    worker.postMessage(file, [file.bytes]);
  }).finally(() => worker.terminate());
}
