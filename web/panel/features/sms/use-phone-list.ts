import { useMutation } from '@tanstack/react-query';
import { useOfficeZone } from '#web/kit/format.tsx';
import type { PhoneListAnswer, PhoneListFile } from './phone-list-worker.ts';
import type { ListRow } from './read-phone-list.ts';

/** A list of 10,000 numbers and times has half a megabyte. */
const largestFile = 10_000_000;

export class UnreadableList extends Error {
  readonly reason: 'too-many-rows' | 'unreadable';
  constructor(reason: UnreadableList['reason']) {
    super(reason);
    this.reason = reason;
  }
}

/** Reads an uploaded CSV in a web worker. */
export function usePhoneList() {
  const timeZone = useOfficeZone();
  return useMutation({
    mutationFn: async (file: Blob): Promise<ListRow[]> => {
      if (file.size > largestFile) throw new UnreadableList('too-many-rows');
      const answer = await askWorker({ bytes: await file.arrayBuffer(), timeZone });
      if ('error' in answer) throw new UnreadableList(answer.error);
      return answer.rows;
    },
  });
}

function askWorker(file: PhoneListFile): Promise<PhoneListAnswer> {
  const worker = new Worker(new URL('./phone-list-worker.ts', import.meta.url), { type: 'module' });
  return new Promise<PhoneListAnswer>((resolve) => {
    worker.onmessage = ({ data }: MessageEvent<PhoneListAnswer>) => resolve(data);
    worker.onerror = () => resolve({ error: 'unreadable' });
    worker.postMessage(file, [file.bytes]);
  }).finally(() => worker.terminate());
}
