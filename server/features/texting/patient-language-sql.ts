import type { Language } from '#contract/shapes.ts';
import type { Tx } from '#server/kit/db/db.ts';

/** The language of the patient with this number; undefined if nobody has it. */
export async function languageOfPatient(tx: Tx, officeId: string, phone: string): Promise<Language | undefined> {
  const patient = await tx
    .selectFrom('patient')
    .select('language')
    .where('officeId', '=', officeId)
    .where('phone', '=', phone)
    .executeTakeFirst();
  return patient?.language;
}
