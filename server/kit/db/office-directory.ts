import { sql, type OperationNodeSource } from 'kysely';
import type pg from 'pg';
import { asOffice, enterOffice, type Db, type Tx } from './db.ts';
import { plusSeconds } from './plus-seconds.ts';

/**
 * The directory maps keys to offices. The security-definer functions of db/migrations/0155_office_directory.sql read it before an office is
 * known; every write of a key into an office's table writes its entry in the same transaction.
 */
export interface DirectoryEntry {
  officeId: string;
  kind:
    | 'agreement'
    | 'episode_link'
    | 'invitation_link'
    | 'invited'
    | 'merchant'
    | 'npi'
    | 'person'
    | 'share_link'
    | 'text_number'
    | 'visit_link'
    | 'visitor';
  /** The hash of a token, or the value itself. */
  key: string | Buffer;
  /** The key leads to nothing after this. */
  expiresAt?: Date;
}

/** How long the directory still knows a visit's or an episode's link after its end: until then the link's page names the practice. */
const endedLinkMs = 30 * 86_400_000;
const namesItsPractice = (kind: DirectoryEntry['kind']) => kind === 'visit_link' || kind === 'episode_link';

function leavesAt({ kind, expiresAt }: Pick<DirectoryEntry, 'kind' | 'expiresAt'>): Date | null {
  if (expiresAt === undefined) return null;
  return namesItsPractice(kind) ? new Date(expiresAt.getTime() + endedLinkMs) : expiresAt;
}

/** An insert of entries, not executed yet. An existing entry keeps the later expiry. */
export function directoryStatement(tx: Tx, ...entries: DirectoryEntry[]) {
  const rows = entries.map(({ officeId, kind, key, expiresAt }) => ({
    officeId,
    kind,
    key: textOf(key),
    expiresAt: leavesAt({ kind, expiresAt }),
  }));
  const statement = tx
    .insertInto('auth.officeDirectory')
    .values(rows)
    .onConflict((known) =>
      known
        .columns(['kind', 'key', 'officeId'])
        .doUpdateSet({ expiresAt: sql`greatest(office_directory.expires_at, excluded.expires_at)` }),
    );
  directoryStatements.add(statement);
  return statement;
}

const directoryStatements = new WeakSet<OperationNodeSource>();

/** Whether this is an insert into the directory: it is sent as a separate statement, because the directory belongs to no office. */
export const isDirectoryStatement = (statement: OperationNodeSource) => directoryStatements.has(statement);

export async function addToDirectory(tx: Tx, ...entries: DirectoryEntry[]): Promise<void> {
  await directoryStatement(tx, ...entries).execute();
}

export async function removeFromDirectory(tx: Tx, { officeId, kind, key }: DirectoryEntry): Promise<void> {
  await tx
    .deleteFrom('auth.officeDirectory')
    .where('officeId', '=', officeId)
    .where('kind', '=', kind)
    .where('key', '=', textOf(key))
    .execute();
}

/** The ids of all offices, for jobs that work office by office. */
export async function officeIds(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>('select door_office_ids() as id');
  return rows.map(({ id }) => id);
}

/** The office with this NPI, current or earlier; null if there is none. */
export async function officeIdByNpi(pool: pg.Pool, npi: string): Promise<string | null> {
  const { rows } = await pool.query<{ id: string | null }>({
    name: 'door_npi',
    text: 'select door_office_by_npi($1) as id',
    values: [npi],
  });
  return rows[0]?.id ?? null;
}

interface OfficeOfPerson {
  id: string;
  npi: string;
  name: string;
  agreementSignedAt: Date | null;
}

/**
 * The offices that a person belongs to, with what this transaction has written. It enters each of them. On several machines the function
 * behind `officesOf` may not read what another role wrote in the same transaction.
 */
export async function officesInTransaction(tx: Tx, personId: string): Promise<OfficeOfPerson[]> {
  const { rows: known } = await sql<{ id: string }>`select door_known_offices(${personId}) as id`.execute(tx);
  const offices: (OfficeOfPerson & { since: Date; membershipId: string })[] = [];
  for (const { id } of known) {
    await enterOffice(tx, id);
    const office = await tx
      .selectFrom('membership as m')
      .innerJoin('office as o', 'o.id', 'm.officeId')
      .select(['o.id', 'o.npi', 'o.name', 'o.agreementSignedAt', 'm.createdAt as since', 'm.id as membershipId'])
      .where('m.officeId', '=', id)
      .where('m.personId', '=', personId)
      .executeTakeFirst();
    if (office) offices.push(office);
  }
  return offices.sort((a, b) => a.since.getTime() - b.since.getTime() || (a.membershipId < b.membershipId ? -1 : 1));
}

/** The offices that a person belongs to. */
export async function officesOf(db: Db, personId: string): Promise<OfficeOfPerson[]> {
  const { rows } = await sql<OfficeOfPerson>`select * from door_offices_of(${personId})`.execute(db);
  return rows;
}

const textOf = (key: string | Buffer) => (typeof key === 'string' ? key : key.toString('hex'));

/** Deletes expired entries, and adds those that a process of the previous version did not write during an upgrade. */
export async function completeDirectory({ pool, db, now }: { pool: pg.Pool; db: Db; now(): Date }): Promise<void> {
  for (const id of await officeIds(pool)) await asOffice(db, id, (tx) => completeDirectoryOf(tx, id, now()));
}

async function completeDirectoryOf(tx: Tx, officeId: string, now: Date): Promise<void> {
  const endedAfter = new Date(now.getTime() - endedLinkMs);
  const known = plusSeconds('expiresAt', endedLinkMs / 1_000);
  await tx.deleteFrom('auth.officeDirectory').where('officeId', '=', officeId).where('expiresAt', '<=', now).execute();
  await sql`
    insert into auth.office_directory (office_id, kind, key, expires_at)
    select distinct office_id, 'npi', npi, null::timestamptz from office_npi where office_id = ${officeId}
    union all select id, 'text_number', text_number, null from office where id = ${officeId} and text_number is not null
    union all select office_id, 'person', person_id::text, null from membership where office_id = ${officeId}
    union all select office_id, 'invited', value, expires_at from invitation
      where office_id = ${officeId} and state = 'open' and expires_at > ${now}
    union all select office_id, 'invitation_link', encode(token_hash, 'hex'), expires_at from invitation
      where office_id = ${officeId} and state = 'open' and expires_at > ${now}
    union all select office_id, 'visit_link', encode(token_hash, 'hex'), ${known} from visit_token
      where office_id = ${officeId} and expires_at > ${endedAfter}
    union all select office_id, 'visitor', encode(token_hash, 'hex'), expires_at from visitor
      where office_id = ${officeId} and expires_at > ${now}
    union all select office_id, 'episode_link', encode(token_hash, 'hex'), ${known} from episode_link
      where office_id = ${officeId} and expires_at > ${endedAfter}
    union all select office_id, 'share_link', encode(token_hash, 'hex'), null from share_link where office_id = ${officeId}
    union all select distinct office_id, 'merchant', provider || ' ' || form_id, null::timestamptz from merchant_application
      where office_id = ${officeId} and form_id is not null
    union all select distinct office_id, 'merchant', provider || ' ' || identity_id, null::timestamptz from merchant_application
      where office_id = ${officeId} and identity_id is not null
    union all select distinct office_id, 'agreement', provider || ' ' || request_id, null::timestamptz from agreement
      where office_id = ${officeId} and request_id is not null
    on conflict (kind, key, office_id) do nothing`.execute(tx);
}
