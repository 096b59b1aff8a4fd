import type { Advice } from '#contract/ambulatory/episode.ts';
import { createStore, useStore } from '#web/kit/store.ts';

/** What the server answered to a survey that was filed on this page. */
export interface FiledSurvey {
  advice: Advice;
  /** A nurse will call. */
  callback: boolean;
}

const filedSurveys = createStore<ReadonlyMap<string, FiledSurvey>>(new Map());

export function noteFiledSurvey(surveyId: string, filed: FiledSurvey): void {
  filedSurveys.set(new Map(filedSurveys.get()).set(surveyId, filed));
}

export const useFiledSurvey = (surveyId: string): FiledSurvey | undefined => useStore(filedSurveys).get(surveyId);
