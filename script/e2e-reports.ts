/** How many halves the journeys run in: one per core on two cores. */
export const e2eParts = 2;

/** The path of a half's JSON report. */
export const e2eReport = (half: number): string => `test-results/reports/e2e-${half}.json`;
