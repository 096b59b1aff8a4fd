import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { bulkDownloadForms, bulkMost, downloadForm, formsPageSize, searchForms } from '#contract/forms/desk.ts';
import { call } from '#web/kit/call.ts';
import { callForFile, saveFile } from '#web/kit/call-file.ts';
import { searchOf, type Filter } from './use-forms.ts';

/** Saves one PDF. */
export function useDownload() {
  return useMutation({
    mutationFn: async (key: string) => saveFile(await callForFile(downloadForm, { query: { key } })),
  });
}

/** Answers the object keys of the forms to download. */
export type KeysOf = (signal: AbortSignal) => Promise<readonly string[]>;

/** How many pages of the list are asked for at a time. */
const atOnce = 5;

/** Saves forms as zips of up to 2,000 each, one after the other. `share` goes from 0 to 1. */
export function useDownloadZips() {
  const [share, setShare] = useState(0);
  const stop = useRef<AbortController>(null);
  const zips = useMutation({
    mutationFn: async (keysOf: KeysOf) => {
      const { signal } = (stop.current = new AbortController());
      setShare(0);
      const keys = await keysOf(signal);
      for (let start = 0; start < keys.length; start += bulkMost) {
        const forms = keys.slice(start, start + bulkMost);
        const zip = await callForFile(
          bulkDownloadForms,
          { body: { forms } },
          {
            signal,
            onProgress: (bytes, of = bytes) => setShare((start + (forms.length * bytes) / of) / keys.length),
          },
        );
        saveFile(zip);
      }
    },
  });
  return { ...zips, share, stop: () => stop.current?.abort() };
}

/** The object keys of everything a filter finds, newest first; what is filed meanwhile moves the pages, so none counts twice. */
export async function keysOfAll(filter: Filter, total: number, signal: AbortSignal): Promise<string[]> {
  const keys = new Set<string>();
  const pages = Math.ceil(total / formsPageSize);
  for (let first = 1; first <= pages; first += atOnce) {
    const some = Array.from({ length: Math.min(atOnce, pages - first + 1) }, (_, i) =>
      call(searchForms, { body: searchOf(filter, first + i) }, { signal }),
    );
    for (const { forms } of await Promise.all(some)) for (const { objectKey } of forms) keys.add(objectKey);
  }
  return [...keys];
}
