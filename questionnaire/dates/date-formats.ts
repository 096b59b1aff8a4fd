import { datePattern } from '#questionnaire/values.ts';

/** Is this a day that exists, a month (YYYY-MM) or a year (YYYY)? */
export function isDate(text: string): boolean {
  const parts = text.length <= 10 ? datePattern.exec(text) : null;
  if (!parts) return false;
  const [, year, month = '01', day = '01'] = parts;
  const date = new Date(`${year}-${month}-${day}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.getUTCDate() === Number(day) && year !== '0000';
}
