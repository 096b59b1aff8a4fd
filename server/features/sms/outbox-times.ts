import type { OfficeCtx } from '#server/context.ts';
import { answerWaitsUntil, quietHoursOf } from '#server/features/texting/index.ts';
import type { Tx } from '#server/kit/db/db.ts';
import type { OfficeRow } from '#server/office-row.ts';
import { minuteOf, spreadTexts, textsPerMinute } from './spread-texts.ts';
import { textsByMinute, type OutboxRow } from './sql.ts';

/**
 * When a text of the outbox can go out if the desk wants it at this time: after quiet hours (the demo only warns of them), and texts of Send
 * SMS at the pace of lists. `isCounted`: it counts towards the texts per hour, so that it goes out in a full minute too, unless it waits for
 * the end of quiet hours. Null if that is after its appointment.
 */
export async function freeTime(
  tx: Tx,
  ctx: OfficeCtx,
  office: OfficeRow,
  { text, wanted, isCounted = false }: { text: OutboxRow; wanted: Date; isCounted?: boolean },
): Promise<Date | null> {
  const at =
    text.sendBy === null
      ? await answerTime(tx, ctx, text, wanted)
      : await listTime(tx, ctx, office, { text, wanted, isCounted });
  return text.appointmentAt !== null && at >= text.appointmentAt ? null : at;
}

/** Invitations and check-in links go out at any time, and so does an answer to a patient who checked in today. */
async function answerTime(tx: Tx, ctx: OfficeCtx, { kind, toPhone }: OutboxRow, wanted: Date): Promise<Date> {
  return kind === 'message' ? ((await answerWaitsUntil(tx, ctx, toPhone)) ?? wanted) : wanted;
}

async function listTime(
  tx: Tx,
  { env }: OfficeCtx,
  office: OfficeRow,
  { text: { id, toPhone }, wanted, isCounted }: { text: OutboxRow; wanted: Date; isCounted: boolean },
): Promise<Date> {
  const endOfQuiet = quietHoursOf(office);
  const wantedAt = wanted.getTime();
  const mustWait = !env.demo && endOfQuiet(minuteOf(wantedAt), toPhone) !== null;
  if (isCounted && !mustWait) return wanted;
  const [spread] = spreadTexts([{ phone: toPhone, wantedAt }], {
    perMinute: textsPerMinute(office),
    taken: await textsByMinute(tx, office.id, wanted, id),
    endOfQuiet,
    holds: !env.demo,
  });
  return spread ? new Date(spread.sendAt) : wanted;
}
