/** Formats a day as the API's `datetime` parameter: MMDDYYYY. */
export function asDatetime(day: string): string {
  return day.slice(5, 7) + day.slice(8, 10) + day.slice(0, 4);
}
