/** How many parts the journeys run in: one for each of two cores. */
export const halves = 2;

/** Where a half's JSON report is written. */
export const e2eReport = (half: number): string => `test-results/reports/e2e-${half}.json`;
