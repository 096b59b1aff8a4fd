import { sql } from 'kysely';
import type { Tx } from './kit/db/db.ts';

interface SessionActivity {
  kind: string;
  activeAt: Date;
}

/** When a panel locks without input; null for a program's token, which does not lock by itself. */
export function locksAt({ kind, activeAt }: SessionActivity, lockMinutes: number): Date | null {
  return kind === 'cookie' ? new Date(activeAt.getTime() + lockMinutes * 60_000) : null;
}

/** Whether the panel is locked because nobody has used it for that long. */
export function isIdle(session: SessionActivity, lockMinutes: number, now: Date): boolean {
  const at = locksAt(session, lockMinutes);
  return at !== null && at <= now;
}

/**
 * Locks the idle sessions of an office's members (or of one of them), by the minutes in force. Call it before a person's minutes can grow:
 * a locked panel must not unlock by itself.
 */
export async function lockIdleSessions(tx: Tx, officeId: string, now: Date, personId?: string): Promise<void> {
  const members = await tx
    .selectFrom('membership')
    .select('personId')
    .where('officeId', '=', officeId)
    .$if(personId !== undefined, (q) => q.where('personId', '=', personId as string))
    .execute();
  await sql`
    update auth.session s set locked_at = ${now}
    where s.person_id = any (${members.map((member) => member.personId)}::uuid[])
      and s.kind = 'cookie' and s.ended_at is null and s.locked_at is null
      and s.active_at + make_interval(mins => door_lock_minutes(s.person_id)) <= ${now}`.execute(tx);
}
