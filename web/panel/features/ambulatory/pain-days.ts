import type { AmbuPatientFile } from '#contract/ambulatory/patients.ts';
import { fewestSurveysOfMedian } from '#contract/ambulatory/shapes.ts';
import type { PainDay } from './pain-chart.tsx';

/**
 * The days whose surveys were asked, each with the patient's scores and the practice's medians, those of enough
 * answers. None until the first answer.
 */
export function painDays({ surveys, median }: Pick<AmbuPatientFile, 'surveys' | 'median'>): PainDay[] {
  const daySurveys = surveys.filter(({ type, state }) => type === 'ambu-survey-day' && state !== 'planned');
  if (!daySurveys.some(({ state }) => state === 'submitted')) return [];
  return daySurveys.map(({ day, stationaryPainScore, movementPainScore }) => {
    const ofDay = median.find((one) => one.day === day && one.surveys >= fewestSurveysOfMedian);
    return {
      day,
      stationary: stationaryPainScore,
      movement: movementPainScore,
      medianStationary: ofDay?.stationary ?? null,
      medianMovement: ofDay?.movement ?? null,
    };
  });
}
