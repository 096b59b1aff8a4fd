import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  chooseFormVersion,
  readForm,
  readFormSettings,
  saveFormSettings,
  type FormSetting,
  type FormSettings,
} from '#contract/forms/settings.ts';
import { call } from '#web/kit/call.ts';
import { useHints } from '#web/kit/live.ts';

const key = ['form-settings'] as const;

/** The forms that the office can use and those it asks for; refetched when a colleague changes them. */
export function useFormSettings() {
  const cache = useQueryClient();
  useHints(({ type }) => {
    if (type === 'settings') void cache.invalidateQueries({ queryKey: key });
  });
  return useQuery({ queryKey: key, queryFn: ({ signal }) => call(readFormSettings, {}, { signal }), staleTime: 0 });
}

/** Stores the server's response to a change, here and for the forms list. */
function useKeep() {
  const cache = useQueryClient();
  return (settings: FormSettings) => {
    cache.setQueryData(key, settings);
    void cache.invalidateQueries({ queryKey: ['form-types'] });
  };
}

export function useSaveFormSettings() {
  const keep = useKeep();
  return useMutation({
    mutationFn: (forms: FormSetting[]) => call(saveFormSettings, { body: { forms } }),
    onSuccess: keep,
  });
}

/** Sets the version of one of the office's own forms; 0 removes the form. */
export function useChooseVersion() {
  const keep = useKeep();
  return useMutation({
    mutationFn: ({ formType, version }: { formType: string; version: number }) =>
      call(chooseFormVersion, { params: { formType }, body: { version } }),
    onSuccess: keep,
  });
}

/** Refetches after a file was loaded. */
export function useRefetchFormSettings() {
  const cache = useQueryClient();
  return () => cache.fetchQuery({ queryKey: key, queryFn: () => call(readFormSettings), staleTime: 0 });
}

/** A form's questionnaire; a version never changes. */
export function useDefinition(definitionId: string) {
  return useQuery({
    queryKey: ['form-definition', definitionId],
    queryFn: ({ signal }) => call(readForm, { params: { definitionId } }, { signal }),
    staleTime: Infinity,
  });
}
