import type { Selectable } from 'kysely';
import type pg from 'pg';
import type { Language } from '#contract/shapes.ts';
import type { DB } from '#db/tables.ts';
import type { OfficeScope } from '#server/context.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { addToDirectory } from '#server/kit/db/office-directory.ts';

export type ApplicationRow = Selectable<DB['merchantApplication']>;
type ApplicationChanges = Partial<Omit<ApplicationRow, 'officeId' | 'id' | 'addressAnswers' | 'detailsAnswers'>> & {
  addressAnswers?: string;
  detailsAnswers?: string;
};

/** Saves the answer to the payments question, with the time of a yes; false if nothing changed. */
export async function savePaymentsAnswer(tx: Tx, officeId: string, wantedAt: Date | null): Promise<boolean> {
  const changed = await tx
    .updateTable('office')
    .set({ paymentsQuestionCompleted: true, ...(wantedAt && { paymentsWantedAt: wantedAt }) })
    .where('id', '=', officeId)
    .where((office) =>
      wantedAt === null ? office('paymentsQuestionCompleted', '=', false) : office('paymentsWantedAt', 'is', null),
    )
    .returning('id')
    .executeTakeFirst();
  return changed !== undefined;
}

/** The office's application; after a rejection, the one begun last. */
export function latestApplication(
  tx: Tx,
  officeId: string,
  state?: ApplicationRow['state'],
): Promise<ApplicationRow | undefined> {
  return tx
    .selectFrom('merchantApplication')
    .selectAll()
    .where('officeId', '=', officeId)
    .where((e) => (state === undefined ? e.val(true) : e('state', '=', state)))
    .orderBy('begunAt', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

export function applicationById(tx: Tx, officeId: string, id: string): Promise<ApplicationRow | undefined> {
  return tx
    .selectFrom('merchantApplication')
    .selectAll()
    .where('officeId', '=', officeId)
    .where('id', '=', id)
    .executeTakeFirst();
}

/** Reads an application and locks it until the end of the transaction. */
export function lockApplication(tx: Tx, officeId: string, id: string): Promise<ApplicationRow> {
  return tx
    .selectFrom('merchantApplication')
    .selectAll()
    .where('officeId', '=', officeId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow();
}

/** The application that the provider knows by this form or identity. */
export function applicationByKey(tx: Tx, officeId: string, provider: string, key: string) {
  return tx
    .selectFrom('merchantApplication')
    .selectAll()
    .where('officeId', '=', officeId)
    .where('provider', '=', provider)
    .where((row) => row.or([row('formId', '=', key), row('identityId', '=', key)]))
    .orderBy('begunAt', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** Adds an application with the answers of the one before, if any; undefined if the office has a running one. */
export function addApplication(
  tx: Tx,
  row: Pick<ApplicationRow, 'officeId' | 'id' | 'provider' | 'begunBy'> & { begunAt: Date },
  before: ApplicationRow | undefined,
): Promise<ApplicationRow | undefined> {
  return tx
    .insertInto('merchantApplication')
    .values({
      ...row,
      addressAnswers: before?.addressAnswers ? JSON.stringify(before.addressAnswers) : null,
      detailsAnswers: before?.detailsAnswers ? JSON.stringify(before.detailsAnswers) : null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
}

/** Changes an application; a form or identity also becomes findable by the provider's callbacks. */
export async function changeApplication(
  tx: Tx,
  row: Pick<ApplicationRow, 'officeId' | 'id' | 'provider'>,
  changes: ApplicationChanges,
): Promise<ApplicationRow> {
  const changed = await tx
    .updateTable('merchantApplication')
    .set(changes)
    .where('officeId', '=', row.officeId)
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  for (const key of [changes.formId, changes.identityId])
    if (key) await addToDirectory(tx, { officeId: row.officeId, kind: 'merchant', key: `${row.provider} ${key}` });
  return changed;
}

/** The identity in the office's profile: whether it has one decides about the Transactions tab and the settings entry. */
export async function setOfficeIdentity(tx: Tx, officeId: string, finixIdentity: string | null): Promise<void> {
  await tx.updateTable('office').set({ finixIdentity }).where('id', '=', officeId).execute();
}

/** A member by what the office knows of them; undefined if the person is no member. */
export function memberOf(tx: Tx, officeId: string, personId: string) {
  return tx
    .selectFrom('membership')
    .select(['email', 'phone'])
    .where('officeId', '=', officeId)
    .where('personId', '=', personId)
    .executeTakeFirst();
}

const mostMembers = 20;

/** One email of each member, the longest members first: the one the office knows, else one they sign in with. */
export async function emailsOfMembers(tx: Tx, officeId: string): Promise<{ email: string; language: Language }[]> {
  const rows = await tx
    .selectFrom('membership as m')
    .innerJoin('auth.person as p', 'p.id', 'm.personId')
    .leftJoin('auth.identity as i', (on) => on.onRef('i.personId', '=', 'm.personId').on('i.kind', '=', 'email'))
    .select(['m.personId', 'm.email', 'i.value', 'p.language'])
    .distinctOn(['m.createdAt', 'm.personId'])
    .where('m.officeId', '=', officeId)
    .where((row) => row.or([row('m.email', 'is not', null), row('i.value', 'is not', null)]))
    .orderBy('m.createdAt')
    .orderBy('m.personId')
    .orderBy('i.id')
    .limit(mostMembers)
    .execute();
  return rows.flatMap(({ email, value, language }) => {
    const address = email ?? value;
    return address === null ? [] : [{ email: address, language: language ?? 'en' }];
  });
}

/** Saves a provider's event; returns false if it was saved before. */
export async function insertMerchantEvent(
  tx: Tx,
  scope: Pick<OfficeScope, 'officeId' | 'id' | 'now'>,
  applicationId: string,
  event: { key: string; type: string },
): Promise<boolean> {
  const { key, type } = event;
  const added = await tx
    .insertInto('merchantEvent')
    .values({ officeId: scope.officeId, id: scope.id(), applicationId, key, type, at: scope.now() })
    .onConflict((conflict) => conflict.columns(['officeId', 'key']).doNothing())
    .returning('id')
    .executeTakeFirst();
  return added !== undefined;
}

/** Applications whose check is due, of all offices. */
export async function dueApplications(pool: pg.Pool, now: Date, limit: number) {
  const { rows } = await pool.query<{ office_id: string; id: string }>(
    'select * from door_due_merchant_applications($1, $2)',
    [now, limit],
  );
  return rows.map(({ office_id, id }) => ({ officeId: office_id, id }));
}

/** The offices that a form or identity of a provider leads to: one, unless the id is unknown. */
export async function officesByMerchantKey(pool: pg.Pool, provider: string, key: string): Promise<string[]> {
  const { rows } = await pool.query<{ office_id: string }>('select office_id from door_offices_by_merchant_key($1)', [
    `${provider} ${key}`,
  ]);
  return rows.map(({ office_id }) => office_id);
}
