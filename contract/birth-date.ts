/** Why a day cannot be a date of birth, or null. Both are YYYY-MM-DD; `today` is the office's. */
export function birthDateProblem(date: string, today: string): 'date-ahead' | 'date-too-old' | null {
  if (date > today) return 'date-ahead';
  return date < '1900-01-01' ? 'date-too-old' : null;
}
