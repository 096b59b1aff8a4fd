import { useMutation, useQuery } from '@tanstack/react-query';
import { downloadForm, readFormUrl } from '#contract/forms/desk.ts';
import { callForFile, saveFile } from '#web/kit/call-file.ts';
import { call } from '#web/kit/call.ts';
import { openInTab } from '#web/kit/open-in-tab.ts';

/** The address of one form's PDF. It is requested at each opening: it lasts two minutes, and the audit log lists each request. */
export function useFormUrl(key: string) {
  return useQuery({
    queryKey: ['form-url', key],
    queryFn: ({ signal }) => call(readFormUrl, { query: { key } }, { signal }),
    staleTime: 'static',
    gcTime: 0,
  });
}

/** Opens one form's PDF in a new tab. */
export function useOpenForm() {
  return useMutation({
    mutationFn: (key: string) => openInTab(async () => (await call(readFormUrl, { query: { key } })).url),
  });
}

/** Saves one form's PDF. */
export function useDownloadForm() {
  return useMutation({
    mutationFn: async (key: string) => saveFile(await callForFile(downloadForm, { query: { key } })),
  });
}
