import type { SmsPreview } from '#contract/sms.ts';

/** What still counts as now: the minute in which the sheet is read. A scheduled text is at least half an hour ahead. */
const nowMs = 60_000;

/** How many texts of a send go out now, how many do later, and when the first and the last of these do. */
export function goingOut({ rows }: Pick<SmsPreview, 'rows'>, now: number) {
  const times = rows.flatMap(({ sendAt }) => (sendAt === null ? [] : [sendAt]));
  const later = times.filter((sendAt) => Date.parse(sendAt) > now + nowMs).sort();
  return { atOnce: times.length - later.length, later: later.length, first: later[0] ?? '', last: later.at(-1) ?? '' };
}
