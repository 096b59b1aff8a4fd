import { useLingui } from '@lingui/react/macro';
import type { SurveyType } from '#contract/ambulatory/shapes.ts';

/** Returns a function that names a survey: that of a day, or the one about the patient's satisfaction at the end. */
export function useSurveyName(): (type: SurveyType, day?: number) => string {
  const { t } = useLingui();
  return (type, day) => {
    if (type === 'ambu-satisfaction') return t`Satisfaction survey`;
    return day === undefined ? t`Daily survey` : t`Survey of day ${day}`;
  };
}
