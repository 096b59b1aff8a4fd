import type { Advice, Episode } from '#contract/ambulatory/episode.ts';
import { dayOf } from '#web/kit/office-clock.ts';

/** What the answers that were submitted today call for. The page says it until the practice's day is over. A survey of yesterday may be submitted past midnight. */
export function adviceOfToday({ surveys, timeZone, now }: Pick<Episode, 'surveys' | 'timeZone' | 'now'>): Advice {
  const today = dayOf(now, timeZone);
  const ofToday = surveys.find(({ submittedAt }) => submittedAt !== null && dayOf(submittedAt, timeZone) === today);
  return ofToday?.advice ?? 'none';
}
