import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  addSurvey,
  changeSurvey,
  deleteSurvey,
  readSurveyPlan,
  saveAmbuSettings,
  type AmbuSettings,
  type SurveyPlan,
} from '#contract/ambulatory/surveys.ts';
import { call, type BodyOf } from '#web/kit/call.ts';
import { useRefetchOnHints } from '#web/kit/refetch-after-hint.ts';

const key = ['survey-plan'] as const;

/** The office's surveys and settings; refetched when a colleague changes them. */
export function useSurveyPlan() {
  useRefetchOnHints(key, ({ type }) => type === 'settings' || type === 'refetch');
  return useQuery({ queryKey: key, queryFn: ({ signal }) => call(readSurveyPlan, {}, { signal }) });
}

/** Shows the plan that a change answered; after a refusal the plan is read again. */
function useShowPlan() {
  const cache = useQueryClient();
  return {
    onSuccess: (plan: SurveyPlan) => cache.setQueryData(key, plan),
    onError: () => cache.invalidateQueries({ queryKey: key }),
  };
}

export function useAddSurvey() {
  return useMutation({
    mutationFn: (body: BodyOf<typeof addSurvey>) => call(addSurvey, { body }),
    ...useShowPlan(),
  });
}

export function useChangeSurvey(id: string) {
  return useMutation({
    mutationFn: (body: BodyOf<typeof changeSurvey>) => call(changeSurvey, { params: { id }, body }),
    ...useShowPlan(),
  });
}

export function useDeleteSurvey() {
  return useMutation({
    mutationFn: (id: string) => call(deleteSurvey, { query: { id } }),
    ...useShowPlan(),
  });
}

export function useSaveSurveySettings() {
  return useMutation({
    mutationFn: (body: AmbuSettings) => call(saveAmbuSettings, { body }),
    ...useShowPlan(),
  });
}
