import { sql } from 'kysely';
import type { OfficeScope } from '#server/context.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { patientWordsOf, type Person } from './patient-words.ts';

/** Adds the words of a patient that the directory does not have yet. */
export function patientWordsStatement(
  tx: Tx,
  scope: Pick<OfficeScope, 'officeId' | 'id'>,
  patientId: string,
  { people, phone }: { people: readonly Person[]; phone: string },
) {
  const words = patientWordsOf(people, phone);
  const ids = words.map(() => scope.id());
  return tx
    .insertInto('patientWord')
    .columns(['officeId', 'id', 'word', 'patientId'])
    .expression(
      sql`select ${scope.officeId}::uuid, w.id, w.word, ${patientId}::uuid from unnest(${ids}::uuid[], ${words}::text[]) as w (id, word)`,
    )
    .onConflict((conflict) => conflict.doNothing());
}
