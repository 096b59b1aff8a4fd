import type { AmbuPatient } from '#contract/ambulatory/shapes.ts';

export type SurveyStanding = 'none' | 'not-due' | 'complete' | 'incomplete';

/** What the list says about a patient's surveys. Nothing is incomplete before a survey was asked. */
export function surveyStanding({
  status,
  surveysAsked,
  nextSurveyAt,
  complete,
}: Pick<AmbuPatient, 'status' | 'surveysAsked' | 'nextSurveyAt' | 'complete'>): SurveyStanding {
  if (complete) return 'complete';
  if (status === 'pending') return 'none';
  if (surveysAsked > 0) return 'incomplete';
  return nextSurveyAt === null ? 'none' : 'not-due';
}
