import type { Services } from '#server/context.ts';
import { asOffice } from '#server/kit/db/db.ts';
import { officeRow } from '#server/office-row.ts';
import { quietHoursOf } from './quiet-hours.ts';
import { isListText, type ClaimedText } from './sql.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/**
 * When a text to a list goes out that is late (a restart, a busy carrier, a release) and would leave in quiet hours; null for every other text.
 * Its time was chosen outside of quiet hours. It keeps its minute of the hour, so that many of them keep the pace of lists.
 */
export async function timeAfterQuiet({ db, env, now }: Services, text: ClaimedText): Promise<Date | null> {
  const lateMs = now().getTime() - text.sendAt.getTime();
  // The demo only warns of quiet hours. One that is on time costs no query.
  if (env.demo || text.appointmentAt !== null || lateMs < minuteMs) return null;
  return asOffice(db, text.officeId, async (tx) => {
    const office = await officeRow(tx, text.officeId);
    const end = quietHoursOf(office)(Math.floor(now().getTime() / minuteMs), text.to);
    if (end === null || !(await isListText(tx, text.officeId, text.id))) return null;
    return new Date(end * minuteMs + (text.sendAt.getTime() % hourMs));
  });
}
