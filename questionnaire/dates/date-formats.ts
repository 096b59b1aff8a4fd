import { datePattern, timePattern } from '#questionnaire/values.ts';

/** Is this a day that exists, a month (YYYY-MM) or a year (YYYY)? */
export function isDate(text: string): boolean {
  return text.length <= 10 && isRealDate(text);
}

/** A date, or a full instant with seconds and its time zone. */
export function isDateTime(text: string): boolean {
  if (!isRealDate(text.slice(0, 10))) return false;
  return text.length <= 10 || (datePattern.test(text) && isTime(text.slice(11, 19)) && !Number.isNaN(Date.parse(text)));
}

export function isTime(text: string): boolean {
  const parts = timePattern.exec(text);
  return parts !== null && Number(parts[1]) < 24 && Number(parts[2]) < 60 && Number(parts[3] ?? 0) < 60;
}

function isRealDate(text: string): boolean {
  const parts = datePattern.exec(text);
  if (!parts) return false;
  const [, year, month = '01', day = '01'] = parts;
  const date = new Date(`${year}-${month}-${day}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.getUTCDate() === Number(day) && year !== '0000';
}

export function decimalsOf(value: number): number {
  const [digits = '', exponent = '0'] = String(value).split('e');
  return Math.max(0, (digits.split('.')[1]?.length ?? 0) - Number(exponent));
}
