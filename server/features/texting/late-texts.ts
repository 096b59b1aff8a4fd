import type { Services } from '#server/context.ts';
import { asOffice } from '#server/kit/db/db.ts';
import { officeRow } from '#server/office-row.ts';
import { quietHoursOf } from './quiet-hours.ts';
import { lateRuleOf, type ClaimedText } from './sql.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/**
 * What becomes of a text that is late (a restart, a busy carrier, a release) and would leave in quiet hours, although its time was chosen outside
 * of them; null for every text that may leave. A text to a list goes out after them: it keeps its minute of the hour, so that many of them keep
 * the pace of lists. A `daytime_only` text, of no use by then, is held.
 */
export async function timeAfterQuiet(
  { db, env, now }: Services,
  text: ClaimedText,
): Promise<{ sendAt: Date } | 'hold' | null> {
  const lateMs = now().getTime() - text.sendAt.getTime();
  // The demo only warns of quiet hours. One that is on time costs no query.
  if (env.demo || text.appointmentAt !== null || lateMs < minuteMs) return null;
  return asOffice(db, text.officeId, async (tx) => {
    const office = await officeRow(tx, text.officeId);
    const end = quietHoursOf(office)(Math.floor(now().getTime() / minuteMs), text.to);
    const rule = end === null ? null : await lateRuleOf(tx, text.officeId, text.id);
    if (end === null || !rule) return null;
    if (rule.daytimeOnly) return 'hold';
    return rule.isOfList ? { sendAt: new Date(end * minuteMs + (text.sendAt.getTime() % hourMs)) } : null;
  });
}
