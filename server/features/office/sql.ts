import { sql, type Insertable } from 'kysely';
import type { ChatSettings } from '#contract/practice/chat-settings.ts';
import type { MessageSettings } from '#contract/practice/message-settings.ts';
import type { QueueSettings } from '#contract/practice/office.ts';
import type { DB } from '#db/tables.ts';
import type { Db, Tx } from '#server/kit/db/db.ts';
import { addToDirectory } from '#server/kit/db/office-directory.ts';
import { plusSeconds } from '#server/kit/db/plus-seconds.ts';
import type { OfficeRow } from '#server/office-row.ts';

/** The office as it is now; `officeRow` answers what the transaction read first. */
export async function readOfficeUncached(tx: Tx, officeId: string): Promise<OfficeRow> {
  return tx.selectFrom('office').selectAll().where('id', '=', officeId).executeTakeFirstOrThrow();
}

export async function insertOfficeRow(tx: Tx, office: Insertable<DB['office']>): Promise<void> {
  await tx.insertInto('office').values(office).execute();
  const { id: officeId, textNumber } = office;
  if (textNumber) await addToDirectory(tx, { officeId, kind: 'text_number', key: textNumber });
}

/** Makes the office a limited practice, which the operator or a code to its NPPES number confirms. */
export async function insertConfirmation(tx: Tx, row: Insertable<DB['officeConfirmation']>): Promise<void> {
  await tx.insertInto('officeConfirmation').values(row).execute();
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

export type OfficeColumns = Partial<
  Omit<
    OfficeRow,
    'id' | 'createdAt' | 'settings' | 'queueSettings' | 'messageSettings' | 'chatSettings' | 'ambuSettings'
  >
>;

export async function setOfficeColumns(tx: Tx, officeId: string, columns: OfficeColumns): Promise<void> {
  await tx.updateTable('office').set(columns).where('id', '=', officeId).execute();
}

export async function setOfficeSettings(tx: Tx, officeId: string, settings: Record<string, unknown>): Promise<void> {
  await tx
    .updateTable('office')
    .set({ settings: JSON.stringify(settings) })
    .where('id', '=', officeId)
    .execute();
}

export async function setChatSettings(
  tx: Tx,
  officeId: string,
  settings: Omit<ChatSettings, 'chatEnabled'>,
): Promise<void> {
  await tx
    .updateTable('office')
    .set({ chatSettings: JSON.stringify(settings) })
    .where('id', '=', officeId)
    .execute();
}

export async function setMessageSettings(tx: Tx, officeId: string, settings: MessageSettings): Promise<void> {
  await tx
    .updateTable('office')
    .set({ messageSettings: JSON.stringify(settings) })
    .where('id', '=', officeId)
    .execute();
}

/** Saves the office's default message, or removes it. */
export async function setSmsText(tx: Tx, officeId: string, text: string | null): Promise<void> {
  await tx
    .updateTable('office')
    .set({
      settings:
        text === null
          ? sql<string>`settings - 'sms'`
          : sql<string>`settings || jsonb_build_object('sms', ${text}::text)`,
    })
    .where('id', '=', officeId)
    .execute();
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

/** How many of today's waiting patients the rule would invite at once, and did not before. */
export async function countOverdue(
  tx: Tx,
  officeId: string,
  day: string,
  { autoInviteWaitTime }: QueueSettings,
  now: Date,
): Promise<number> {
  const { patients } = await tx
    .selectFrom('visit')
    .select((q) => q.fn.countAll<number>().as('patients'))
    .where('officeId', '=', officeId)
    .where('day', '=', day)
    .where('status', '=', 'WAITING')
    .where(sql<boolean>`arrived_at + make_interval(secs => ${autoInviteWaitTime}) <= ${now}`)
    .where(sql<boolean>`(auto_invite_at is null or auto_invite_at > ${now})`)
    .executeTakeFirstOrThrow();
  return Number(patients);
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
    ? sql<Date>`greatest(${plusSeconds('arrivedAt', autoInviteWaitTime)}, ${now})`
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

/** The office's NPIs, now and earlier, oldest first. */
export function npisOf(tx: Tx, officeId: string) {
  return tx.selectFrom('officeNpi').select(['npi', 'current']).where('officeId', '=', officeId).orderBy('id').execute();
}

export async function insertNpi(tx: Tx, row: Insertable<DB['officeNpi']>): Promise<void> {
  await tx.insertInto('officeNpi').values(row).execute();
  await addToDirectory(tx, { officeId: row.officeId, kind: 'npi', key: row.npi });
}

/** Makes one of the office's NPIs the current one, or none if `npi` is not among them. */
export async function setCurrentNpi(tx: Tx, officeId: string, npi: string): Promise<void> {
  await tx
    .updateTable('officeNpi')
    .set({ current: sql<boolean>`npi = ${npi}` })
    .where('officeId', '=', officeId)
    .execute();
}

export async function globalSettings(db: Db): Promise<Record<string, unknown>> {
  const rows = await db.selectFrom('globalSetting').selectAll().execute();
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]));
}

export async function setGlobalSetting(db: Db, name: string, setting: unknown): Promise<void> {
  const value = JSON.stringify(setting);
  await db
    .insertInto('globalSetting')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
}

export async function deleteGlobalSetting(db: Db, name: string): Promise<void> {
  await db.deleteFrom('globalSetting').where('name', '=', name).execute();
}

/** Locks the NPI: a concurrent registration with it waits until this transaction ends. */
export async function lockNpi(tx: Tx, npi: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`NPI ${npi}`}, 0))`.execute(tx);
}

/** The office with this NPI, current or earlier; null if there is none. */
export async function findNpiHolder(tx: Tx, npi: string): Promise<string | null> {
  const { rows } = await sql<{ id: string | null }>`select door_office_by_npi(${npi}) as id`.execute(tx);
  return rows[0]?.id ?? null;
}

/** Locks the names of practices in one street until the transaction ends. */
export async function lockNameAt(tx: Tx, state: string, street: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`name at ${state} ${street}`}, 0))`.execute(tx);
}

/** The practices of a city or ZIP code. */
export async function officesNear(
  tx: Tx,
  { state, city, zip }: Pick<OfficeRow, 'state' | 'city' | 'zip'>,
): Promise<Pick<OfficeRow, 'id' | 'name' | 'addressLine1'>[]> {
  const { rows } = await sql<Pick<OfficeRow, 'id' | 'name' | 'addressLine1'>>`
    select id, name, address_line1 from door_offices_near(${state}, ${city}, ${zip})`.execute(tx);
  return rows;
}
