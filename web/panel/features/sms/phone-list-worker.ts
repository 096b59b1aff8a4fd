import { decodeText, TooManyRows } from './list-lines.ts';
import { packRows, type PackedRows } from './packed-rows.ts';
import { readAppointments } from './read-appointments.ts';
import { readPhoneList } from './read-phone-list.ts';

/** What the page sends: the file, the office's time zone, and for a list of appointments the day of times without a date. */
export interface PhoneListFile {
  bytes: ArrayBuffer;
  timeZone: string | undefined;
  appointmentDay: string | null;
}
export type PhoneListAnswer = { rows: PackedRows } | { error: 'too-many-rows' | 'unreadable' };

/** Reads an uploaded list away from the page, which stays responsive however long the list is. */
self.onmessage = ({ data }: MessageEvent<PhoneListFile>) => {
  const answer = readList(data);
  const columns = 'rows' in answer ? [answer.rows.lines, answer.rows.phones, answer.rows.timeOf] : [];
  self.postMessage(answer, { transfer: columns.map(({ buffer }) => buffer) });
};

function readList({ bytes, timeZone, appointmentDay }: PhoneListFile): PhoneListAnswer {
  if (isWorkbook(new Uint8Array(bytes, 0, Math.min(2, bytes.byteLength)))) return { error: 'unreadable' };
  try {
    const text = decodeText(new Uint8Array(bytes));
    return {
      rows: packRows(
        appointmentDay === null ? readPhoneList(text, timeZone) : readAppointments(text, timeZone, appointmentDay),
      ),
    };
  } catch (error) {
    return { error: error instanceof TooManyRows ? 'too-many-rows' : 'unreadable' };
  }
}

/** An Excel workbook begins like a zip file, or like the older binary format. */
function isWorkbook([first, second]: Uint8Array): boolean {
  return (first === 0x50 && second === 0x4b) || (first === 0xd0 && second === 0xcf);
}
