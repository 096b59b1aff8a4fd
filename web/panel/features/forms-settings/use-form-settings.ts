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

/** Which forms the office can use and which it asks for; looked up again when a colleague changes it. */
export function useFormSettings() {
  const cache = useQueryClient();
  useHints(({ type }) => {
    if (type === 'settings') void cache.invalidateQueries({ queryKey: key });
  });
  return useQuery({ queryKey: key, queryFn: ({ signal }) => call(readFormSettings, {}, { signal }), staleTime: 0 });
}

/** Keeps what the server answered to a change, here and in the forms list. */
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

/** Which version of an own form is in use; 0 removes the form. */
export function useChooseVersion() {
  const keep = useKeep();
  return useMutation({
    mutationFn: ({ formType, version }: { formType: string; version: number }) =>
      call(chooseFormVersion, { params: { formType }, body: { version } }),
    onSuccess: keep,
  });
}

/** After something was loaded. */
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
