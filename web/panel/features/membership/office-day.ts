/** The day of an instant in the office's time zone, as YYYY-MM-DD. */
export const officeDay = (at: Date, timeZone: string | undefined): string =>
  new Intl.DateTimeFormat('en-CA', { dateStyle: 'short', ...(timeZone && { timeZone }) }).format(at);
