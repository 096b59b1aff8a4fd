import { sql } from 'kysely';
import type pg from 'pg';
import type { Draft } from '#contract/practice/registration.ts';
import { identitiesOf } from '#server/identities.ts';
import { enterOffice, type Db, type Tx } from '#server/kit/db/db.ts';
import { addToDirectory, officesInTransaction } from '#server/kit/db/office-directory.ts';

/** Takes a lock by name until the transaction ends; waits for another holder. */
export async function lockByName(tx: Tx, name: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(tx);
}

export interface OfficeOfPerson {
  id: string;
  npi: string;
  name: string;
  addressId: string | null;
  addressLine1: string;
  city: string;
  state: string;
  timeZone: string;
}

/** Enters the office and returns its row, if the office still exists. */
export async function enterOfficeRow(tx: Tx, officeId: string): Promise<OfficeOfPerson | undefined> {
  await enterOffice(tx, officeId);
  const row = await tx
    .selectFrom('office')
    .select(['id', 'npi', 'name', 'addressId', 'addressLine1', 'city', 'state', 'timeZone'])
    .where('id', '=', officeId)
    .executeTakeFirst();
  return row;
}

/** The offices a person belongs to. */
export async function officesOfPerson(tx: Tx, personId: string): Promise<OfficeOfPerson[]> {
  const offices: OfficeOfPerson[] = [];
  for (const { id } of await officesInTransaction(tx, personId)) {
    const office = await enterOfficeRow(tx, id);
    if (office) offices.push(office);
  }
  return offices;
}

export async function addMembership(
  tx: Tx,
  membership: { officeId: string; id: string; personId: string; createdAt: Date },
): Promise<void> {
  // The office learns the person's first identity.
  const [identity] = await identitiesOf(tx, membership.personId);
  const contact = identity?.kind === 'phone' ? { phone: identity.value } : { email: identity?.value ?? null };
  await tx
    .insertInto('membership')
    .values({ ...membership, ...contact })
    .execute();
  await addToDirectory(tx, { officeId: membership.officeId, kind: 'person', key: membership.personId });
}

/** The office registered with a form; null before registration. */
export async function officeOfForm(db: Db, personId: string, formId: string): Promise<string | null> {
  const row = await db
    .selectFrom('auth.registration')
    .select('officeId')
    .where('personId', '=', personId)
    .where('formId', '=', formId)
    .executeTakeFirst();
  return row?.officeId ?? null;
}

export async function insertForm(tx: Tx, form: { personId: string; formId: string; at: Date }): Promise<void> {
  await tx
    .insertInto('auth.registration')
    .values({ personId: form.personId, formId: form.formId, savedAt: form.at })
    .onConflict((known) => known.doNothing())
    .execute();
}

/** Marks a form as registered and deletes its draft. */
export async function closeForm(
  tx: Tx,
  form: { personId: string; formId: string; officeId: string; at: Date },
): Promise<void> {
  await tx
    .updateTable('auth.registration')
    .set({ officeId: form.officeId, registeredAt: form.at, draft: '{}' })
    .where('personId', '=', form.personId)
    .where('formId', '=', form.formId)
    .execute();
}

/** A person's newest open form. */
export function findOpenForm(db: Db, personId: string) {
  return db
    .selectFrom('auth.registration')
    .select(['formId', 'draft', 'savedAt'])
    .where('personId', '=', personId)
    .where('registeredAt', 'is', null)
    .orderBy('savedAt', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** Saves an open form; does nothing once it is registered. */
export async function saveOpenForm(
  tx: Tx,
  form: { personId: string; formId: string; draft: Draft; at: Date },
): Promise<void> {
  const draft = JSON.stringify(form.draft);
  await tx
    .insertInto('auth.registration')
    .values({ personId: form.personId, formId: form.formId, draft, savedAt: form.at })
    .onConflict((known) =>
      known
        .columns(['personId', 'formId'])
        .doUpdateSet({ draft, savedAt: form.at })
        .where('auth.registration.registeredAt', 'is', null),
    )
    .execute();
}

/** Deletes a person's open forms except the newest. */
export async function forgetOlderForms(tx: Tx, personId: string, keep: number): Promise<void> {
  await tx
    .deleteFrom('auth.registration')
    .where('personId', '=', personId)
    .where('registeredAt', 'is', null)
    .where('formId', 'not in', (of) =>
      of
        .selectFrom('auth.registration')
        .select('formId')
        .where('personId', '=', personId)
        .where('registeredAt', 'is', null)
        .orderBy('savedAt', 'desc')
        .limit(keep),
    )
    .execute();
}

/** Changes a person's name and adds to their settings. */
export async function changePerson(
  db: Db,
  personId: string,
  { name, settings }: { name?: string; settings: Record<string, unknown> },
): Promise<void> {
  await db
    .updateTable('auth.person')
    .set({ settings: sql`settings || ${JSON.stringify(settings)}::jsonb`, ...(name && { name }) })
    .where('id', '=', personId)
    .execute();
}

/** Ten practices that were confirmed and have no number for their texts, in any order. */
export async function confirmedWithoutNumber(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>('select door_confirmed_without_number(10) as id');
  return rows.map(({ id }) => id);
}
