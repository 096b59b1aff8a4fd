import { sql } from 'kysely';
import type { QueueSettings } from '#contract/practice/office.ts';
import type { Db, Tx } from '#server/kit/db/db.ts';
import type { OfficeRow } from '#server/office-row.ts';

/** The office as it is now; `officeRow` answers what the transaction read first. */
export async function readOfficeUncached(tx: Tx, officeId: string): Promise<OfficeRow> {
  return tx.selectFrom('office').selectAll().where('id', '=', officeId).executeTakeFirstOrThrow();
}

/** True if an office has this number for its texts. */
export async function isNumberTaken(db: Db, number: string): Promise<boolean> {
  const { rows } = await sql<{ id: string | null }>`select door_office_by_text_number(${number}) as id`.execute(db);
  return rows[0]?.id !== null;
}

/** The office, locked: of two concurrent saves, the second works on the result of the first. */
export function lockOfficeForChange(tx: Tx, officeId: string): Promise<OfficeRow> {
  return tx.selectFrom('office').selectAll().where('id', '=', officeId).forNoKeyUpdate().executeTakeFirstOrThrow();
}

export async function setOfficeColumns(
  tx: Tx,
  officeId: string,
  columns: Partial<Omit<OfficeRow, 'id' | 'createdAt' | 'settings' | 'queueSettings'>>,
): Promise<void> {
  await tx.updateTable('office').set(columns).where('id', '=', officeId).execute();
}

/** The settings, locked: of two concurrent saves, the second works on the result of the first. */
export async function lockQueueSettings(tx: Tx, officeId: string): Promise<QueueSettings> {
  const row = await tx
    .selectFrom('office')
    .select('queueSettings')
    .where('id', '=', officeId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  return row.queueSettings;
}

export async function setQueueSettings(tx: Tx, officeId: string, settings: QueueSettings): Promise<void> {
  await tx
    .updateTable('office')
    .set({ queueSettings: JSON.stringify(settings) })
    .where('id', '=', officeId)
    .execute();
}

/** Recomputes today's auto-invite times from the arrival times, never in the past; returns the patients whose time changed. */
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

/** Whether the office has this NPI, now or earlier. */
export async function hasNpi(tx: Tx, officeId: string, npi: string): Promise<boolean> {
  const row = await tx
    .selectFrom('officeNpi')
    .select('id')
    .where('officeId', '=', officeId)
    .where('npi', '=', npi)
    .executeTakeFirst();
  return row !== undefined;
}

/** The email addresses and numbers a person signs in with, oldest first. */
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
  return row.settings;
}

/** A colleague in this office; undefined for anybody else. */
export function colleague(tx: Tx, officeId: string, personId: string) {
  return tx
    .selectFrom('membership as m')
    .innerJoin('auth.person as p', 'p.id', 'm.personId')
    .select(['p.id', 'p.name', 'p.settings'])
    .where('m.officeId', '=', officeId)
    .where('m.personId', '=', personId)
    .executeTakeFirst();
}

export async function globalSettings(db: Db): Promise<Record<string, unknown>> {
  const rows = await db.selectFrom('globalSetting').selectAll().execute();
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]));
}
