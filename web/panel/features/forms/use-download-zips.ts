import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { bulkDownloadForms, maxBulkDownload, formsPageSize, searchForms } from '#contract/forms/desk.ts';
import { call } from '#web/kit/call.ts';
import { callForFile, saveFile } from '#web/kit/call-file.ts';
import { searchOf, type Filter } from './use-forms.ts';

/** Returns the object keys of the forms to download. */
export type KeysOf = (signal: AbortSignal) => Promise<readonly string[]>;

const parallelPages = 5;

/** Saves forms as zips of up to 2,000 each, one after the other. `progress` goes from 0 to 1. */
export function useDownloadZips() {
  const [progress, setProgress] = useState(0);
  const stop = useRef<AbortController>(null);
  const zips = useMutation({
    mutationFn: async (keysOf: KeysOf) => {
      const { signal } = (stop.current = new AbortController());
      setProgress(0);
      const keys = await keysOf(signal);
      for (let start = 0; start < keys.length; start += maxBulkDownload) {
        const forms = keys.slice(start, start + maxBulkDownload);
        const zip = await callForFile(
          bulkDownloadForms,
          { body: { forms } },
          {
            signal,
            onProgress: (bytes, of = bytes) => setProgress((start + (forms.length * bytes) / of) / keys.length),
          },
        );
        saveFile(zip);
      }
    },
  });
  return { ...zips, progress, stop: () => stop.current?.abort() };
}

/** The object keys of all forms that match a filter, newest first. A form filed meanwhile shifts the pages, so duplicates are dropped. */
export async function keysOfAll(filter: Filter, total: number, signal: AbortSignal): Promise<string[]> {
  const keys = new Set<string>();
  const pages = Math.ceil(total / formsPageSize);
  for (let first = 1; first <= pages; first += parallelPages) {
    const pageCalls = Array.from({ length: Math.min(parallelPages, pages - first + 1) }, (_, i) =>
      call(searchForms, { body: searchOf(filter, first + i) }, { signal }),
    );
    for (const { forms } of await Promise.all(pageCalls)) for (const { objectKey } of forms) keys.add(objectKey);
  }
  return [...keys];
}
