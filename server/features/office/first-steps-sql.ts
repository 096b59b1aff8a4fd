import { sql } from 'kysely';
import type { Tx } from '#server/kit/db/db.ts';

/** What has happened in the office so far. Each look-up stops at its first row. */
export function firstStepFacts(tx: Tx, officeId: string) {
  return tx
    .selectFrom('office')
    .select([
      'firstStepsShown as shown',
      sql<boolean>`poster_printed_at is not null`.as('poster'),
      sql<boolean>`exists (select from visit v where v.office_id = ${officeId} and v.arrived_at is not null)`.as(
        'phone',
      ),
      sql<boolean>`exists (select from text t where t.office_id = ${officeId})`.as('text'),
      sql<boolean>`(exists (select from invitation i where i.office_id = ${officeId})
        or (select count(*) from (select from membership m where m.office_id = ${officeId} limit 2) two) = 2)`.as(
        'colleague',
      ),
    ])
    .where('id', '=', officeId)
    .executeTakeFirstOrThrow();
}

/** Returns false if nothing changed. */
export async function saveShown(tx: Tx, officeId: string, shown: boolean): Promise<boolean> {
  const changed = await tx
    .updateTable('office')
    .set({ firstStepsShown: shown })
    .where('id', '=', officeId)
    .where('firstStepsShown', '!=', shown)
    .returning('id')
    .executeTakeFirst();
  return changed !== undefined;
}

/** Keeps the first time. Returns false if the poster was printed before. */
export async function setPosterPrinted(tx: Tx, officeId: string, at: Date): Promise<boolean> {
  const changed = await tx
    .updateTable('office')
    .set({ posterPrintedAt: at })
    .where('id', '=', officeId)
    .where('posterPrintedAt', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return changed !== undefined;
}
