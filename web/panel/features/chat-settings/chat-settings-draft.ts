import { longestGreeting, mostOrigins, type ChatSettings } from '#contract/practice/chat-settings.ts';
import {
  toWeek,
  toWeekDraft,
  weekProblemsOf,
  type DayDraft,
  type WeekProblem,
} from '#web/panel/features/practice/index.ts';
import { websiteOf } from './website-address.ts';

/** The draft of the website chat's settings. */
export interface Draft {
  chatEnabled: boolean;
  origins: readonly string[];
  /** An address that was typed and is not in the list yet. Saving adds it. */
  newOrigin: string;
  color: string;
  greeting: { en: string; es: string };
  /** Hours of the chat; otherwise those of the practice. */
  ownHours: boolean;
  /** Monday first. */
  days: DayDraft[];
}

/** The problems, by field name (`newOrigin`, `color`, `greeting.es`, `days.0.to`). */
export type Problems = Partial<Record<string, Problem>>;
export type Problem = 'address' | 'listed' | 'many' | 'color' | 'long' | WeekProblem;

export const toDraft = ({ chatEnabled, origins, color, greeting, hours }: ChatSettings): Draft => ({
  chatEnabled,
  origins,
  newOrigin: '',
  color,
  greeting: { ...greeting },
  ownHours: hours !== null,
  days: toWeekDraft(hours),
});

/** The problem of an address that is to be added; undefined if it can be. */
export function originProblem({ origins, newOrigin }: Pick<Draft, 'origins' | 'newOrigin'>): Problem | undefined {
  const origin = websiteOf(newOrigin);
  if (origin === null) return 'address';
  if (origins.includes(origin)) return 'listed';
  return origins.length >= mostOrigins ? 'many' : undefined;
}

/** The problems that prevent saving; empty if there are none. */
export function problemsOf({ origins, newOrigin, color, greeting, ownHours, days }: Draft): Problems {
  const problems: Problems = ownHours ? weekProblemsOf(days) : {};
  const problem = newOrigin.trim() === '' ? undefined : originProblem({ origins, newOrigin });
  if (problem) problems.newOrigin = problem;
  if (colorOf(color) === null) problems.color = 'color';
  for (const language of ['en', 'es'] as const)
    if (greeting[language].trim().length > longestGreeting) problems[`greeting.${language}`] = 'long';
  return problems;
}

/** The settings of a draft without problems. */
export function toSettings({ chatEnabled, origins, newOrigin, color, greeting, ownHours, days }: Draft): ChatSettings {
  const added = websiteOf(newOrigin);
  return {
    chatEnabled,
    origins: added === null ? [...origins] : [...origins, added],
    color: colorOf(color) ?? color,
    greeting: { en: greeting.en.trim(), es: greeting.es.trim() },
    hours: ownHours ? toWeek(days) : null,
  };
}

/** Whether two saved settings are the same, whatever else the call returns. */
export const isSame = (one: ChatSettings, other: ChatSettings): boolean =>
  JSON.stringify(toSettings(toDraft(one))) === JSON.stringify(toSettings(toDraft(other)));

/** Whether saving would change anything. A draft that cannot be saved is a change. */
export function isChanged(draft: Draft, saved: ChatSettings): boolean {
  if (Object.keys(problemsOf(draft)).length > 0) return true;
  return !isSame(toSettings(draft), saved);
}

/** A typed color as #rrggbb; null if it is none. */
export function colorOf(typed: string): string | null {
  const [, digits] = /^#?([\da-f]{6}|[\da-f]{3})$/.exec(typed.trim().toLowerCase()) ?? [];
  if (digits === undefined) return null;
  return `#${digits.length === 3 ? digits.replace(/./g, '$&$&') : digits}`;
}
