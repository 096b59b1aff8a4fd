import type { Tx } from '#server/kit/db/db.ts';

export function officeFacts(tx: Tx, officeId: string) {
  return tx
    .selectFrom('office')
    .select([
      'id',
      'npi',
      'name',
      'addressLine1',
      'city',
      'state',
      'zip',
      'timeZone',
      'emr',
      'onboardingType',
      'agreementSignedAt',
      'confirmedAt',
      'finixIdentity',
      'paymentsQuestionCompleted',
      'paymentsWantedAt',
      'settings',
      'requiresAuthenticator',
      'lockMinutes',
      'firstStepsShown',
    ])
    .select(({ exists, selectFrom }) =>
      exists(selectFrom('payment').select('payment.id').where('payment.officeId', '=', officeId)).as('hasPayments'),
    )
    .where('id', '=', officeId)
    .executeTakeFirstOrThrow();
}

/** How many of today's patients wait to be called in. */
export async function countWaiting(tx: Tx, officeId: string, day: string): Promise<number> {
  const { count } = await tx
    .selectFrom('visit')
    .select((q) => q.fn.countAll<number>().as('count'))
    .where('officeId', '=', officeId)
    .where('day', '=', day)
    .where('status', '=', 'WAITING')
    .executeTakeFirstOrThrow();
  return count;
}

/** Returns false if nothing changed. */
export async function setRequiresAuthenticator(tx: Tx, officeId: string, required: boolean): Promise<boolean> {
  const changed = await tx
    .updateTable('office')
    .set({ requiresAuthenticator: required })
    .where('id', '=', officeId)
    .where('requiresAuthenticator', '!=', required)
    .returning('id')
    .executeTakeFirst();
  return changed !== undefined;
}

/** Locks the office's row: a parallel change waits. */
export async function lockMinutesForUpdate(tx: Tx, officeId: string): Promise<number> {
  const { lockMinutes } = await tx
    .selectFrom('office')
    .select('lockMinutes')
    .where('id', '=', officeId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  return lockMinutes;
}

export async function saveLockMinutes(tx: Tx, officeId: string, lockMinutes: number): Promise<void> {
  await tx.updateTable('office').set({ lockMinutes }).where('id', '=', officeId).execute();
}
