import type { OfficeScope, Services, VisitLink } from './context.ts';
import { hashToken } from './kit/crypto/secret.ts';
import { sendHint } from './kit/db/statements.ts';

/**
 * A proved link was used for the first time: from now on the visit's unproved links show only the status. Loading the page's HTML does not
 * count, because phones and carriers preview links.
 */
export function noteFirstUse(scope: OfficeScope, visitId: string): Promise<void> {
  return scope.transaction(async (tx) => {
    const noted = await tx
      .updateTable('visit')
      .set({ provedAt: scope.now() })
      .where('officeId', '=', scope.officeId)
      .where('id', '=', visitId)
      .where('provedAt', 'is', null)
      .returning('id')
      .executeTakeFirst();
    if (noted) await sendHint(tx, { office: scope.officeId, visit: visitId, type: 'message', proved: true });
  });
}

/** The visit of a link's token, and whether one of its proved links was used; null if the link has expired or never existed. */
export async function visitOf(
  { pool, now, visitorPace }: Pick<Services, 'pool' | 'now' | 'visitorPace'>,
  token: string,
): Promise<(VisitLink & { officeId: string; visitProved: boolean }) | null> {
  const { rows } = await pool.query<{
    office_id: string;
    visit_id: string;
    token_id: string;
    proved: boolean;
    visit_proved: boolean;
  }>({
    name: 'door_visit_by_token',
    text: 'select * from door_visit_by_token($1, $2)',
    values: [hashToken(token), now()],
  });
  const [row] = rows;
  if (!row) return null;
  visitorPace.noteValid(token);
  const { office_id: officeId, visit_id: visitId, token_id: tokenId, proved, visit_proved: visitProved } = row;
  return { officeId, visitId, tokenId, proved, visitProved };
}
