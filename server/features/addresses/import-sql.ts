import type pg from 'pg';
import { from } from 'pg-copy-streams';
import { columns } from './address-row.ts';

/** How far an import has read its file, and how many practices it has kept. */
export interface ImportProgress {
  bytes: number;
  records: number;
  kept: number;
}

/** The advisory lock that allows one import at a time. */
const importLock = 7_306_094;

/** Takes the lock of imports for the open transaction, which may be idle while the import runs; false if another import has the lock. */
export async function takeImportLock(client: pg.ClientBase): Promise<boolean> {
  await client.query('set local idle_in_transaction_session_timeout = 0');
  const { rows } = await client.query<{ mine: boolean }>('select pg_try_advisory_xact_lock($1) as mine', [importLock]);
  return rows[0]?.mine ?? false;
}

/** A stream whose lines become rows of the staging table. */
export const copyIntoStaging = (client: pg.ClientBase) =>
  client.query(from(`copy nppes_import.staged (${columns}) from stdin`));

export async function emptyStaging(client: pg.ClientBase): Promise<void> {
  await client.query('truncate nppes_import.staged');
}

/** Whether the search has no addresses and no import has begun. */
export async function hasNoAddresses(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ empty: boolean }>(
    'select not exists (select from nppes.address) and not exists (select from nppes_import.progress) as empty',
  );
  return rows[0]?.empty ?? false;
}

export async function lastImport(client: pg.ClientBase): Promise<{ file: string; addresses: number } | undefined> {
  const { rows } = await client.query<{ file: string; addresses: string }>(
    'select file, addresses from nppes_import.done order by id desc limit 1',
  );
  return rows[0] && { file: rows[0].file, addresses: Number(rows[0].addresses) };
}

export async function progressOf(client: pg.ClientBase, file: string): Promise<ImportProgress | undefined> {
  const { rows } = await client.query<Record<keyof ImportProgress, string>>(
    'select bytes, records, kept from nppes_import.progress where file = $1',
    [file],
  );
  const [row] = rows;
  return row && { bytes: Number(row.bytes), records: Number(row.records), kept: Number(row.kept) };
}

/** Replaces the progress, in the open transaction. */
export async function saveProgress(client: pg.ClientBase, file: string, progress: ImportProgress): Promise<void> {
  await client.query('delete from nppes_import.progress');
  await client.query('insert into nppes_import.progress (file, bytes, records, kept) values ($1, $2, $3, $4)', [
    file,
    progress.bytes,
    progress.records,
    progress.kept,
  ]);
}

/** Forgets the rows and the position of an import that is over or given up. */
export async function forgetProgress(client: pg.ClientBase): Promise<void> {
  await client.query('truncate nppes_import.staged, nppes_import.progress');
}

export async function addImport(
  client: pg.ClientBase,
  done: { file: string; name: string; addresses: number; at: Date },
): Promise<void> {
  await client.query('insert into nppes_import.done (file, name, addresses, imported_at) values ($1, $2, $3, $4)', [
    done.file,
    done.name,
    done.addresses,
    done.at,
  ]);
}
