import { decodeText, readPhoneList, TooManyRows, type ListRow } from './read-phone-list.ts';

/** What the page sends: the file, and the office's time zone. */
export interface PhoneListFile {
  bytes: ArrayBuffer;
  timeZone: string | undefined;
}
export type PhoneListAnswer = { rows: ListRow[] } | { error: 'too-many-rows' | 'unreadable' };

/** Reads an uploaded list away from the page, which stays responsive however long the list is. */
self.onmessage = ({ data }: MessageEvent<PhoneListFile>) => {
  self.postMessage(answer(data));
};

function answer({ bytes, timeZone }: PhoneListFile): PhoneListAnswer {
  try {
    return { rows: readPhoneList(decodeText(new Uint8Array(bytes)), timeZone) };
  } catch (error) {
    return { error: error instanceof TooManyRows ? 'too-many-rows' : 'unreadable' };
  }
}
