import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';

/** The holidays on which most American practices are closed. */
const holidays: readonly { name: MessageDescriptor; dayIn: (year: number) => string }[] = [
  { name: msg`New Year’s Day`, dayIn: (year) => isoDay(year, 0, 1) },
  { name: msg`Memorial Day`, dayIn: (year) => lastMonday(year, 4) },
  { name: msg`Independence Day`, dayIn: (year) => isoDay(year, 6, 4) },
  { name: msg`Labor Day`, dayIn: (year) => weekdayOfMonth(year, 8, monday, 1) },
  { name: msg`Thanksgiving`, dayIn: (year) => weekdayOfMonth(year, 10, thursday, 4) },
  { name: msg`Christmas`, dayIn: (year) => isoDay(year, 11, 25) },
];

const monday = 1;
const thursday = 4;

/** The holidays of the twelve months from this day on, the next one first. */
export function holidaysAfter(today: string): { day: string; name: MessageDescriptor }[] {
  const year = Number(today.slice(0, 4));
  const end = `${year + 1}${today.slice(4)}`;
  return [year, year + 1]
    .flatMap((of) => holidays.map(({ name, dayIn }) => ({ day: dayIn(of), name })))
    .filter(({ day }) => day >= today && day < end)
    .sort((a, b) => a.day.localeCompare(b.day));
}

const isoDay = (year: number, month: number, day: number) =>
  new Date(Date.UTC(year, month, day)).toISOString().slice(0, 10);

/** The `count`th of a weekday in a month. */
function weekdayOfMonth(year: number, month: number, weekday: number, count: number): string {
  const first = new Date(Date.UTC(year, month, 1)).getUTCDay();
  return isoDay(year, month, 1 + ((weekday - first + 7) % 7) + (count - 1) * 7);
}

function lastMonday(year: number, month: number): string {
  const last = new Date(Date.UTC(year, month + 1, 0));
  return isoDay(year, month, last.getUTCDate() - ((last.getUTCDay() - monday + 7) % 7));
}
