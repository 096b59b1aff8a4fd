import { sql, type Selectable } from 'kysely';
import type { QueueSettings } from '#contract/practice/office.ts';
import type { DB } from '#db/tables.ts';
import type { Db, Tx } from '#server/kit/db/db.ts';

export type OfficeRow = Selectable<DB['office']>;

export async function officeRow(tx: Tx, officeId: string): Promise<OfficeRow> {
  return tx.selectFrom('office').selectAll().where('id', '=', officeId).executeTakeFirstOrThrow();
}

/** The office, locked: of two people saving at once the second changes what the first saved. */
export function lockOffice(tx: Tx, officeId: string): Promise<OfficeRow> {
  return tx.selectFrom('office').selectAll().where('id', '=', officeId).forNoKeyUpdate().executeTakeFirstOrThrow();
}

export async function setOfficeColumns(
  tx: Tx,
  officeId: string,
  columns: Partial<Omit<OfficeRow, 'id' | 'createdAt' | 'settings' | 'queueSettings'>>,
): Promise<void> {
  await tx.updateTable('office').set(columns).where('id', '=', officeId).execute();
}

/** The settings, locked: of two people saving at once the second changes what the first saved. */
export async function lockQueueSettings(tx: Tx, officeId: string): Promise<QueueSettings> {
  const row = await tx
    .selectFrom('office')
    .select('queueSettings')
    .where('id', '=', officeId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  return row.queueSettings as unknown as QueueSettings;
}

export async function setQueueSettings(tx: Tx, officeId: string, settings: QueueSettings): Promise<void> {
  await tx
    .updateTable('office')
    .set({ queueSettings: JSON.stringify(settings) })
    .where('id', '=', officeId)
    .execute();
}

/** Gives every patient waiting today the time that follows from when they arrived, never one in the past; answers whose time changed. */
export async function setAutoInviteTimes(
  tx: Tx,
  officeId: string,
  day: string,
  { autoInviteEnabled, autoInviteWaitTime }: QueueSettings,
  now: Date,
): Promise<string[]> {
  const time = autoInviteEnabled
    ? sql<Date>`greatest(arrived_at + make_interval(secs => ${autoInviteWaitTime}), ${now})`
    : sql<null>`null::timestamptz`;
  const changed = await tx
    .updateTable('visit')
    .set({ autoInviteAt: time })
    .where('officeId', '=', officeId)
    .where('day', '=', day)
    .where('status', '=', 'WAITING')
    .where(sql<boolean>`auto_invite_at is distinct from ${time}`)
    .returning('id')
    .execute();
  return changed.map(({ id }) => id);
}

/** Does this office go by this NPI, now or before? */
export async function hasNpi(tx: Tx, officeId: string, npi: string): Promise<boolean> {
  const row = await tx
    .selectFrom('officeNpi')
    .select('id')
    .where('officeId', '=', officeId)
    .where('npi', '=', npi)
    .executeTakeFirst();
  return row !== undefined;
}

/** The email addresses and numbers a person signs in with, the oldest first. */
export async function usernamesOf(db: Db, personId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('auth.identity')
    .select('value')
    .where('personId', '=', personId)
    .orderBy('verifiedAt')
    .orderBy('id')
    .execute();
  return rows.map(({ value }) => value);
}

export async function personSettings(db: Db, personId: string): Promise<Record<string, unknown>> {
  const row = await db
    .selectFrom('auth.person')
    .select('settings')
    .where('id', '=', personId)
    .executeTakeFirstOrThrow();
  return row.settings as Record<string, unknown>;
}

/** A person of this office; nobody else can be seen from it. */
export async function colleague(tx: Tx, officeId: string, personId: string) {
  const row = await tx
    .selectFrom('membership as m')
    .innerJoin('auth.person as p', 'p.id', 'm.personId')
    .select(['p.id', 'p.name', 'p.settings'])
    .where('m.officeId', '=', officeId)
    .where('m.personId', '=', personId)
    .executeTakeFirst();
  return row && { ...row, settings: row.settings as Record<string, unknown> };
}

export async function globalSettings(db: Db): Promise<Record<string, unknown>> {
  const rows = await db.selectFrom('globalSetting').selectAll().execute();
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]));
}
