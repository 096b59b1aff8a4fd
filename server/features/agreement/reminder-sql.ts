import type { Insertable } from 'kysely';
import type pg from 'pg';
import type { AgreementReminder } from '#db/tables.ts';
import type { Tx } from '#server/kit/db/db.ts';

/** Reminders that are due, of all offices. */
export async function dueReminders(
  pool: pg.Pool,
  {
    now,
    firstDelay,
    nextDelay,
    maxReminders,
    limit,
  }: { now: Date; firstDelay: string; nextDelay: string; maxReminders: number; limit: number },
): Promise<{ officeId: string; number: number }[]> {
  const { rows } = await pool.query<{ office_id: string; number: number }>(
    'select * from door_due_agreement_reminders($1, $2, $3, $4, $5)',
    [now, firstDelay, nextDelay, maxReminders, limit],
  );
  return rows.map(({ office_id, number }) => ({ officeId: office_id, number }));
}

/** Language and email of the office's staff, the longest members first; a person without an email has null. */
export function staffContacts(tx: Tx, officeId: string) {
  return tx
    .selectFrom('membership as m')
    .innerJoin('auth.person as p', 'p.id', 'm.personId')
    .leftJoin('auth.identity as i', (join) => join.onRef('i.personId', '=', 'p.id').on('i.kind', '=', 'email'))
    .select(['p.language', 'i.value as email'])
    .where('m.officeId', '=', officeId)
    .orderBy('m.createdAt')
    .orderBy('m.id')
    .execute();
}

/** Leases a reminder and counts the try; undefined if another process holds it or it is finished. */
export function leaseReminder(tx: Tx, reminder: Insertable<AgreementReminder> & { claimedAt: Date; leaseUntil: Date }) {
  const { claimedAt, leaseUntil } = reminder;
  return tx
    .insertInto('agreementReminder')
    .values(reminder)
    .onConflict((conflict) =>
      conflict
        .columns(['officeId', 'number'])
        .doUpdateSet((q) => ({ leaseUntil, tries: q('agreementReminder.tries', '+', 1) }))
        .where('agreementReminder.leaseUntil', '<=', claimedAt)
        .where('agreementReminder.sentAt', 'is', null)
        .where('agreementReminder.failedAt', 'is', null),
    )
    .returning(['id', 'toEmail', 'tries'])
    .executeTakeFirst();
}

export async function saveReminderOutcome(
  tx: Tx,
  officeId: string,
  id: string,
  outcome: { sentAt: Date } | { failedAt: Date },
): Promise<void> {
  await tx
    .updateTable('agreementReminder')
    .set(outcome)
    .where('officeId', '=', officeId)
    .where('id', '=', id)
    .execute();
}
