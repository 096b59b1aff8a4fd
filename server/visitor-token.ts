import { sql } from 'kysely';
import { visitorHours } from '#contract/website-chat.ts';
import type { OfficeScope, Services, VisitorToken } from './context.ts';
import { hashToken } from './kit/crypto/secret.ts';
import type { Tx } from './kit/db/db.ts';
import { plusSeconds } from './kit/db/plus-seconds.ts';
import { sendHint } from './kit/db/statements.ts';

/** How exactly the desk sees when a visitor was last there. */
const seenEveryMs = 30_000;

interface FoundVisitor extends VisitorToken {
  officeId: string;
  seenAt: Date;
  leftAt: Date | null;
  blockedAt: Date | null;
}

/** The visitor who holds a chat's token; null if the token has ended or never existed. */
export async function visitorOf(
  { pool, now, visitorPace }: Pick<Services, 'pool' | 'now' | 'visitorPace'>,
  token: string,
): Promise<FoundVisitor | null> {
  const { rows } = await pool.query<{
    office_id: string;
    visitor_id: string;
    conversation_id: string;
    seen_at: Date;
    left_at: Date | null;
    blocked_at: Date | null;
  }>({
    name: 'door_visitor_by_token',
    text: 'select * from door_visitor_by_token($1, $2)',
    values: [hashToken(token), now()],
  });
  const [row] = rows;
  if (!row) return null;
  visitorPace.noteValid(token);
  return {
    officeId: row.office_id,
    visitorId: row.visitor_id,
    conversationId: row.conversation_id,
    seenAt: row.seen_at,
    leftAt: row.left_at,
    blockedAt: row.blocked_at,
  };
}

/** When a token ends that is used now. */
export const visitorTokenEnd = (now: Date) => new Date(now.getTime() + visitorHours * 3_600_000);

/** However often it is used, a token ends this long after the visitor agreed to the chat. */
const longestDays = 30;

/** Saves that the visitor is there, which keeps their token unless they ended the chat meanwhile. The desks hear that a visitor who had left is back. */
export async function noteSeen(scope: OfficeScope, found: FoundVisitor): Promise<void> {
  const { visitorId, conversationId, seenAt, leftAt } = found;
  const now = scope.now();
  if (leftAt === null && now.getTime() - seenAt.getTime() < seenEveryMs) return;
  await scope.transaction(async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('visitor')
      .set({
        seenAt: now,
        leftAt: null,
        handedOverAt: null,
        expiresAt: sql<Date>`least(${visitorTokenEnd(now)}, ${plusSeconds('consentedAt', longestDays * 86_400)})`,
      })
      .where('officeId', '=', scope.officeId)
      .where('id', '=', visitorId)
      .where('expiresAt', '>', now)
      .executeTakeFirst();
    if (leftAt !== null && numUpdatedRows > 0n) await hintAtVisitor(tx, scope.officeId, conversationId);
  });
}

/** Tells the desks that a visitor left or is back. They see no conversation without a message, so it makes nobody fetch. */
export async function hintAtVisitor(tx: Tx, officeId: string, conversationId: string): Promise<void> {
  const shown = await tx
    .selectFrom('conversation')
    .select('id')
    .where('officeId', '=', officeId)
    .where('id', '=', conversationId)
    .where('lastSequence', '>', 0)
    .executeTakeFirst();
  if (shown) await sendHint(tx, { office: officeId, type: 'messages' });
}
