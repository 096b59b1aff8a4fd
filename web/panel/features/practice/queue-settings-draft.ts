import { leastCents, mostCents } from '#contract/copay.ts';
import { isDay } from '#contract/day.ts';
import type { QueueSettings } from '#contract/practice/office.ts';
import type { ClosedDay } from '#contract/practice/opening-hours.ts';
import { parseDollars, toDollars } from '#web/panel/features/copay/index.ts';
import { toWeek, toWeekDraft, weekProblemsOf, type DayDraft, type WeekProblem } from './week-draft.ts';

/** The draft of the queue's settings: numbers are text. */
export interface Draft {
  autoInvite: boolean;
  waitMinutes: string;
  late: Record<LateStage, string>;
  alwaysOpen: boolean;
  /** Monday first. */
  days: DayDraft[];
  closedDays: readonly ClosedDay[];
  greeting: { en: string; es: string };
  /** In dollars; empty without a usual copay. */
  copay: string;
}
export type LateStage = keyof QueueSettings['lateMinutes'];
export const lateStages = ['WAITING', 'INVITED', 'GOING'] as const satisfies readonly LateStage[];

/** The problems, by field name (`waitMinutes`, `late.WAITING`, `days.0.to`, `closedDays.0.day`, `greeting.es`). */
export type Problems = Partial<Record<string, 'wait' | 'late' | WeekProblem | 'date' | 'twice' | 'long' | 'copay'>>;

export const longestWaitMinutes = 24 * 60;
export const longestLateMinutes = 600;
export const longestGreeting = 300;

export function toDraft({
  autoInviteEnabled,
  autoInviteWaitTime,
  lateMinutes,
  openingHours,
  closedDays = [],
  greeting,
  copayCents,
}: QueueSettings): Draft {
  const { WAITING, INVITED, GOING } = lateMinutes;
  return {
    autoInvite: autoInviteEnabled,
    waitMinutes: String(Number((autoInviteWaitTime / 60).toFixed(2))),
    late: { WAITING: String(WAITING), INVITED: String(INVITED), GOING: String(GOING) },
    alwaysOpen: openingHours === null,
    days: toWeekDraft(openingHours),
    closedDays,
    greeting: { ...greeting },
    copay: copayCents === undefined ? '' : toDollars(copayCents),
  };
}

/** The problems that prevent saving; empty if there are none. */
export function problemsOf({ waitMinutes, late, alwaysOpen, days, closedDays, greeting, copay }: Draft): Problems {
  const problems: Problems = { ...(!alwaysOpen && weekProblemsOf(days)), ...closedDayProblemsOf(closedDays) };
  if (!isWithin(waitMinutes, 0, longestWaitMinutes, /^\d{1,4}([.,]\d{1,2})?$/)) problems.waitMinutes = 'wait';
  for (const stage of lateStages)
    if (!isWithin(late[stage], 1, longestLateMinutes, /^\d{1,3}$/)) problems[`late.${stage}`] = 'late';
  for (const language of ['en', 'es'] as const)
    if (greeting[language].length > longestGreeting) problems[`greeting.${language}`] = 'long';
  const cents = parseDollars(copay);
  if (copay.trim() !== '' && (cents === null || cents < leastCents || cents > mostCents)) problems.copay = 'copay';
  return problems;
}

/** The settings of a draft without problems. */
export function toSettings(draft: Draft): QueueSettings {
  const { waitMinutes, late, alwaysOpen, days, closedDays, greeting, copay } = draft;
  const copayCents = parseDollars(copay);
  return {
    autoInviteEnabled: draft.autoInvite,
    autoInviteWaitTime: Math.round(toNumber(waitMinutes) * 60),
    lateMinutes: { WAITING: Number(late.WAITING), INVITED: Number(late.INVITED), GOING: Number(late.GOING) },
    openingHours: alwaysOpen ? null : toWeek(days),
    closedDays: closedDays
      .map(({ day, name }) => ({ day, name: name.trim() }))
      .sort((a, b) => a.day.localeCompare(b.day)),
    greeting: { en: greeting.en.trim(), es: greeting.es.trim() },
    ...(copayCents !== null && { copayCents }),
  };
}

/** Whether saving would change anything. Another spelling of the same value is no change; a draft that cannot be saved is. */
export function isChanged(draft: Draft, saved: QueueSettings): boolean {
  if (Object.keys(problemsOf(draft)).length > 0) return true;
  return JSON.stringify(toSettings(draft)) !== JSON.stringify(toSettings(toDraft(saved)));
}

function closedDayProblemsOf(closedDays: readonly ClosedDay[]): Problems {
  const problems: Problems = {};
  for (const [i, { day }] of closedDays.entries()) {
    if (!isDay(day)) problems[`closedDays.${i}.day`] = 'date';
    else if (closedDays.findIndex((other) => other.day === day) < i) problems[`closedDays.${i}.day`] = 'twice';
  }
  return problems;
}

const toNumber = (typed: string) => Number(typed.trim().replace(',', '.'));

function isWithin(typed: string, least: number, most: number, form: RegExp): boolean {
  return form.test(typed.trim()) && toNumber(typed) >= least && toNumber(typed) <= most;
}
