import { sql } from 'kysely';
import type { Language } from '#contract/shapes.ts';
import type { Tx } from '#server/kit/db/db.ts';

/** Whether a patient of that number has arrived today and stays, and whether we texted the number after a time. */
export async function waitingAndTextedSince(
  tx: Tx,
  { officeId, phone, today, since }: { officeId: string; phone: string; today: string; since: Date },
): Promise<{ stays: boolean; texted: boolean }> {
  const { rows } = await sql<{ stays: boolean; texted: boolean }>`
    select
      exists (
        select from visit
        where office_id = ${officeId} and phone = ${phone} and day = ${today} and arrived_at is not null and ended_at is null
      ) as stays,
      exists (
        select from conversation
        where office_id = ${officeId} and phone = ${phone} and last_sender in ('doctor', 'bot') and last_at > ${since}
      ) as texted`.execute(tx);
  return rows[0] ?? { stays: false, texted: false };
}

/** The language of a number's patient, or of a conversation's visitor; English if nobody knows it. */
export async function languageOfWriter(
  tx: Tx,
  officeId: string,
  to: { phone: string } | { conversationId: string },
): Promise<Language> {
  const patients = tx.selectFrom('patient as p').select('p.language').where('p.officeId', '=', officeId);
  if ('phone' in to) {
    const patient = await patients.where('p.phone', '=', to.phone).executeTakeFirst();
    return patient?.language ?? 'en';
  }
  const visitor = await tx
    .selectFrom('visitor')
    .select('language')
    .where('officeId', '=', officeId)
    .where('conversationId', '=', to.conversationId)
    .executeTakeFirst();
  const patient = await patients
    .innerJoin('conversation as c', (join) =>
      join.onRef('c.officeId', '=', 'p.officeId').onRef('c.patientId', '=', 'p.id'),
    )
    .where('c.id', '=', to.conversationId)
    .executeTakeFirst();
  return visitor?.language ?? patient?.language ?? 'en';
}
