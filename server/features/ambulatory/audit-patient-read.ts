import type { EpisodeCtx } from '#server/context.ts';
import { writeAuditEntry } from '#server/kit/audit.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { takeInTransaction, type Limit } from '#server/kit/http/rate-limits.ts';

/** The page looks for news all day, so one entry says for five minutes that it was read: a page that is left open must not fill the audit log. */
const entries = { name: 'episode-read-entries', points: 1, seconds: 300 } as const satisfies Limit;

/** Records what the patient's phone reads. */
export async function auditPatientRead(
  tx: Tx,
  ctx: EpisodeCtx,
  entry: { action: 'episode.read-by-patient' | 'survey.read-by-patient'; subject: string },
): Promise<void> {
  const [usedUp] = await takeInTransaction(tx, ctx.now(), [[entries, `${ctx.officeId} ${entry.subject}`]]);
  if (!usedUp) await writeAuditEntry(tx, ctx, entry);
}
