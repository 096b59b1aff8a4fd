import type { QuietHours } from '#contract/practice/message-settings.ts';
import type { QuietChoice, QuietNow, TextState } from '#contract/queue.ts';
import type { OfficeScope } from '#server/context.ts';
import { dayOf, instantOf } from '#server/kit/day.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { messageSettingsOf, officeRow, type OfficeRow } from '#server/office-row.ts';
import { zonesOfPhone } from './area-code-zones.ts';
import { hasCheckedIn } from './quiet-hours-sql.ts';

const minuteMs = 60_000;

/** The first minute (since 1970) after quiet hours at which a number may be texted; null for a minute that is not quiet. */
export type EndOfQuiet = (minute: number, phone: string) => number | null;

/** The quiet hours of a practice: by its own clock, and by the clocks of a number's area code. */
export function quietHoursOf(office: Pick<OfficeRow, 'messageSettings' | 'timeZone'>): EndOfQuiet {
  const { quietHours } = messageSettingsOf(office);
  const byZone = new Map<string, (minute: number) => number | null>();
  const inZone = (zone: string) => {
    const known = byZone.get(zone);
    if (known) return known;
    const quiet = cachedEnds(quietHours, zone);
    byZone.set(zone, quiet);
    return quiet;
  };
  return (minute, phone) => {
    const clocks = [...new Set([office.timeZone, ...zonesOfPhone(phone)])].map(inZone);
    let at = minute;
    // When quiet hours end by one clock, it may still be night by another, so ask again. Some quiet hours never end by all clocks at once: stop
    // after a few rounds.
    for (let round = 0; round < 4; round++) {
      const ends = clocks.flatMap((clock) => clock(at) ?? []);
      if (ends.length === 0) break;
      at = Math.max(...ends);
    }
    return at === minute ? null : at;
  };
}

/** When quiet hours end, in one time zone. Cached, because of 10,000 texts thousands fall into the same minutes. */
function cachedEnds(hours: QuietHours, zone: string): (minute: number) => number | null {
  const ends = new Map<number, number | null>();
  // Clocks differ from UTC by whole quarters of an hour.
  const step = [hours.from, hours.until].every((time) => Number(time.slice(3)) % 15 === 0) ? 15 : 1;
  return (minute) => {
    const start = Math.floor(minute / step) * step;
    let end = ends.get(start);
    if (end === undefined) ends.set(start, (end = endOfQuiet(start * minuteMs, hours, zone)));
    return end;
  };
}

function endOfQuiet(at: number, { from, until }: QuietHours, zone: string): number | null {
  const day = dayOf(new Date(at), zone);
  const begins = instantOf(day, from, zone).getTime();
  const ends = instantOf(day, until, zone).getTime();
  if (from < until) return at >= begins && at < ends ? ends / minuteMs : null;
  if (at < ends) return ends / minuteMs;
  if (at < begins) return null;
  const tomorrow = dayOf(new Date(instantOf(day, '24:00', zone).getTime() + 12 * 3_600_000), zone);
  return instantOf(tomorrow, until, zone).getTime() / minuteMs;
}

/** When a number may be texted again, if it is quiet there now. Null for a patient who checked in today: they are awake. */
async function quietUntil(tx: Tx, office: OfficeRow, phone: string, now: Date): Promise<Date | null> {
  const end = quietHoursOf(office)(Math.floor(now.getTime() / minuteMs), phone);
  if (end === null) return null;
  const isHere = await hasCheckedIn(tx, office.id, { phone, day: dayOf(now, office.timeZone) });
  return isHere ? null : new Date(end * minuteMs);
}

/** The quiet hours of a number, if they are now. In the demo answers do not wait for their end. */
export async function quietHoursNow(tx: Tx, scope: OfficeScope, phone: string): Promise<QuietNow | null> {
  const until = await quietUntil(tx, await officeRow(tx, scope.officeId), phone, scope.now());
  return until && { until: until.toISOString(), waits: !scope.env.demo };
}

/** When an answer to a number goes out, if it waits for the end of quiet hours; null if it goes out now. */
export async function answerWaitsUntil(
  tx: Tx,
  scope: OfficeScope,
  phone: string,
  choice: QuietChoice = 'wait',
): Promise<Date | null> {
  const quiet = choice === 'wait' ? await quietHoursNow(tx, scope, phone) : null;
  return quiet?.waits ? new Date(quiet.until) : null;
}

/** When a text goes out that waits for its time; null for every other text. */
export function waitingUntil(
  { state, sendAt }: { state: TextState | null; sendAt: Date | null },
  now: Date,
): string | null {
  return state === 'queued' && sendAt !== null && sendAt > now ? sendAt.toISOString() : null;
}
