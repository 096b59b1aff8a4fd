import type { OfficeScope, Services, VisitLink } from './context.ts';
import { sql } from 'kysely';
import type { Tx } from './kit/db/db.ts';
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
    if (!noted) return;
    await adoptBirthday(tx, scope.officeId, visitId);
    await sendHint(tx, { office: scope.officeId, visit: visitId, type: 'message', proved: true });
  });
}

/** Gives a patient without a birthday the one that was entered at check-in, if the visit has the patient's name. */
async function adoptBirthday(tx: Tx, officeId: string, visitId: string): Promise<void> {
  await sql`
    update patient p set birth_date = m.birth_date
    from visit v join visit_member m on m.office_id = v.office_id and m.visit_id = v.id and m.position = 0
    where v.office_id = ${officeId} and v.id = ${visitId} and p.office_id = ${officeId} and p.id = v.patient_id
      and p.birth_date is null and p.first_name = m.first_name and p.last_name = m.last_name`.execute(tx);
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
