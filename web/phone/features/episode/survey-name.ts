import { useLingui } from '@lingui/react/macro';
import type { EpisodeSurvey } from '#contract/ambulatory/episode.ts';

/** Returns a function that names a survey by its day. */
export function useSurveyName(): (survey: Pick<EpisodeSurvey, 'type' | 'day'>) => string {
  const { t } = useLingui();
  return ({ type, day }) => (type === 'ambu-satisfaction' ? t`Last survey` : t`Survey of day ${day}`);
}
