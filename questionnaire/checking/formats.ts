import { isDate } from '#questionnaire/dates/date-formats.ts';
import { datePattern, timePattern } from '#questionnaire/values.ts';

/** A date, or a full instant with seconds and its time zone. */
export function isDateTime(text: string): boolean {
  if (!isDate(text.slice(0, 10))) return false;
  return text.length <= 10 || (datePattern.test(text) && isTime(text.slice(11, 19)) && !Number.isNaN(Date.parse(text)));
}

export function isTime(text: string): boolean {
  const parts = timePattern.exec(text);
  return parts !== null && Number(parts[1]) < 24 && Number(parts[2]) < 60 && Number(parts[3] ?? 0) < 60;
}

export function decimalsOf(value: number): number {
  const [digits = '', exponent = '0'] = String(value).split('e');
  return Math.max(0, (digits.split('.')[1]?.length ?? 0) - Number(exponent));
}
