import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { loadForm, type KnownForm } from '#contract/forms/settings.ts';
import { call, CallError } from '#web/kit/call.ts';
import { useRefetchFormSettings } from '#web/panel/features/forms-settings/index.ts';

/** Saves a draft as the next version. A version that somebody else saved meanwhile is a conflict: `form` is theirs. */
export function useSaveForm(formType: string | undefined) {
  const refetch = useRefetchFormSettings();
  const [conflict, setConflict] = useState<{ form: KnownForm | undefined } | null>(null);
  const save = useMutation({
    mutationFn: (edited: { text: string; editedFrom: number }) =>
      call(loadForm, { body: { ...edited, ...(formType !== undefined && { formType }) } }),
    onMutate: () => setConflict(null),
    async onError(error) {
      if (!(error instanceof CallError) || error.code !== 'form_edited_meanwhile') return;
      const { known } = await refetch();
      setConflict({ form: known.find((form) => form.formType === formType) });
    },
  });
  return { save, conflict };
}
