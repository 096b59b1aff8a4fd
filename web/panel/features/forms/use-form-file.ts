import { useMutation, useQuery } from '@tanstack/react-query';
import {
  downloadForm,
  downloadFormBundle,
  downloadFormResponse,
  readExtractedValues,
  readFormAnswers,
  readFormUrl,
} from '#contract/forms/desk.ts';
import { callForFile, saveFile } from '#web/kit/call-file.ts';
import { call } from '#web/kit/call.ts';
import { useLanguage } from '#web/kit/i18n.ts';
import { openInTab } from '#web/kit/open-in-tab.ts';

/** One form's answers as text. They are requested at each opening: the audit log lists each request, and links to pictures last two minutes. */
export function useFormAnswers(key: string) {
  const language = useLanguage();
  return useQuery({
    queryKey: ['form-answers', key, language],
    queryFn: ({ signal }) => call(readFormAnswers, { query: { key } }, { signal }),
    staleTime: 'static',
    gcTime: 0,
  });
}

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

/** Saves one form's answers as data, a FHIR QuestionnaireResponse. */
export function useDownloadResponse() {
  return useMutation({
    mutationFn: async (key: string) => saveFile(await callForFile(downloadFormResponse, { query: { key } })),
  });
}

/** What one form's answers become. Requested at each opening, like the answers. */
export function useExtractedValues(key: string) {
  const language = useLanguage();
  return useQuery({
    queryKey: ['form-values', key, language],
    queryFn: ({ signal }) => call(readExtractedValues, { query: { key } }, { signal }),
    staleTime: 'static',
    gcTime: 0,
  });
}

/** Saves what one form's answers become, a FHIR transaction Bundle. */
export function useDownloadBundle() {
  return useMutation({
    mutationFn: async (key: string) => saveFile(await callForFile(downloadFormBundle, { query: { key } })),
  });
}
