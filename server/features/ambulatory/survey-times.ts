import { Temporal } from 'temporal-polyfill';
import { reminderHours, satisfactionDays, type AmbuSettings } from '#contract/ambulatory/surveys.ts';
import type { SurveyType } from '#contract/ambulatory/shapes.ts';
import type { EndOfQuiet } from '#server/features/texting/index.ts';
import { dayOf, instantOf } from '#server/kit/day.ts';
import type { PlanEntry } from './plan.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** The job looks at an episode at least this often, so that a changed time zone or clock change moves no survey. */
const longestSleepMs = 6 * hourMs;

export const dayAfter = (day: string, days: number): string => Temporal.PlainDate.from(day).add({ days }).toString();

export const daysBetween = (from: string, to: string): number =>
  Temporal.PlainDate.from(from).until(Temporal.PlainDate.from(to), { largestUnit: 'days' }).days;

/** What the times of an episode's surveys depend on. */
export interface Clock {
  timeZone: string;
  surveyTime: AmbuSettings['surveyTime'];
  quiet: EndOfQuiet;
}

/** When quiet hours end for a number, if they are on at that time; null if it may be texted. */
function quietUntil({ quiet }: Clock, at: Date, phone: string): Date | null {
  const end = quiet(Math.floor(at.getTime() / minuteMs), phone);
  return end === null ? null : new Date(end * minuteMs);
}

export const isNight = (clock: Clock, at: Date, phone: string): boolean => quietUntil(clock, at, phone) !== null;

/**
 * When a survey is due on its day: at the office's hour. If that is in quiet hours: when they end; if they end on the next day, at the day's first
 * time that is not quiet. On a day that is all quiet, at the office's hour.
 */
export function dueAt(clock: Clock, { heldOn, phone }: { heldOn: string; phone: string }, day: number): Date {
  const dueOn = dayAfter(heldOn, day);
  const at = instantOf(dueOn, clock.surveyTime, clock.timeZone);
  const whenNotQuiet = (from: Date) => quietUntil(clock, from, phone) ?? from;
  const times = [whenNotQuiet(at), whenNotQuiet(instantOf(dueOn, '00:00', clock.timeZone))];
  return times.find((time) => dayOf(time, clock.timeZone) === dueOn) ?? at;
}

/** Until when a survey can be answered: the end of its day; the satisfaction survey for a week. */
export function openUntil(timeZone: string, dueOn: string, type: SurveyType): Date {
  const last = type === 'ambu-satisfaction' ? dayAfter(dueOn, satisfactionDays - 1) : dueOn;
  return instantOf(last, '24:00', timeZone);
}

/** The next survey that was not asked yet; null if none follows. Nothing follows the satisfaction survey. */
export function nextSurvey(
  clock: Clock,
  episode: { heldOn: string; phone: string },
  {
    plan,
    surveys,
    now,
  }: { plan: readonly PlanEntry[]; surveys: readonly { day: number; type: SurveyType }[]; now: Date },
): { entry: PlanEntry; at: Date } | null {
  if (surveys.some(({ type }) => type === 'ambu-satisfaction')) return null;
  const today = daysBetween(episode.heldOn, dayOf(now, clock.timeZone));
  const lastAsked = Math.max(0, ...surveys.map(({ day }) => day));
  const entry = plan.find(({ day }) => day >= today && day > lastAsked);
  return entry ? { entry, at: dueAt(clock, episode, entry.day) } : null;
}

/** How many reminders of a survey are over at a time. */
export function remindersOver(textedAt: Date, now: Date): number {
  return reminderHours.filter((hours) => textedAt.getTime() + hours * hourMs <= now.getTime()).length;
}

/** When a survey's next reminder is due; null if none is left. */
export function nextReminderAt(textedAt: Date, over: number): Date | null {
  const hours = reminderHours[over];
  return hours === undefined ? null : new Date(textedAt.getTime() + hours * hourMs);
}

/** When the job looks at the episode again; null if nothing is left to do. */
export function nextLook(now: Date, times: readonly (Date | null | undefined)[]): Date | null {
  const due = times.flatMap((time) => (time ? [time.getTime()] : []));
  return due.length === 0 ? null : new Date(Math.min(...due, now.getTime() + longestSleepMs));
}
