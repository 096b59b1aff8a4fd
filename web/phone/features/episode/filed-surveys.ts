import type { Advice, EpisodeSurvey } from '#contract/ambulatory/episode.ts';
import { createStore, useStore } from '#web/kit/store.ts';

/** What the server answered to a survey that was filed on this page. */
export interface FiledSurvey {
  advice: Advice;
  /** A nurse will call. */
  callback: boolean;
  submittedAt: string;
}

const filedSurveys = createStore<ReadonlyMap<string, FiledSurvey>>(new Map());

export function noteFiledSurvey(surveyId: string, filed: FiledSurvey): void {
  filedSurveys.set(new Map(filedSurveys.get()).set(surveyId, filed));
}

export const useFiledSurvey = (surveyId: string): FiledSurvey | undefined => useStore(filedSurveys).get(surveyId);

/** The surveys, with those that were filed on this page since the episode was read: they are not asked again, and what to do stays. */
export const useFiledSurveys = (surveys: EpisodeSurvey[]): EpisodeSurvey[] =>
  withFiledSurveys(surveys, useStore(filedSurveys));

export function withFiledSurveys(surveys: EpisodeSurvey[], filed: ReadonlyMap<string, FiledSurvey>): EpisodeSurvey[] {
  return surveys.map((survey) => {
    const known = filed.get(survey.id);
    if (!known || survey.state === 'submitted') return survey;
    const { advice, submittedAt } = known;
    return { ...survey, state: 'submitted', openUntil: null, advice, submittedAt };
  });
}
