/**
 * Whether a text is a day that exists, as YYYY-MM-DD. PostgreSQL has no year 0. The questionnaire engine, which imports nothing, has its
 * own check, because FHIR's dates may end after the month or the year.
 */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text) || text.startsWith('0000')) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().slice(0, 10) === text;
}
