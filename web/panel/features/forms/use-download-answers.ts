import { useMutation } from '@tanstack/react-query';
import { downloadAnswers } from '#contract/forms/desk.ts';
import { callForFile, saveFile } from '#web/kit/call-file.ts';
import type { Filter } from './use-forms.ts';

/** Saves the answers of one form's submissions as a CSV file, for the days and the name of a filter. */
export function useDownloadAnswers() {
  return useMutation({
    mutationFn: async ({ formType, startDate, endDate, patientName }: Filter) =>
      saveFile(
        await callForFile(downloadAnswers, {
          body: {
            formType,
            ...(startDate && { startDate }),
            ...(endDate && { endDate }),
            ...(patientName && { patientName }),
          },
        }),
      ),
  });
}
