import type pg from 'pg';
import { columns } from './address-row.ts';

/** Makes an empty schema `nppes_next` with the tables of the search, in a transaction with memory for sorting. */
export async function createNextSchema(client: pg.ClientBase): Promise<void> {
  await client.query(`set local maintenance_work_mem = '256MB'; set local work_mem = '128MB'`);
  await client.query('drop schema if exists nppes_next cascade');
  await client.query(`
    create schema nppes_next;
    create table nppes_next.address (like nppes.address);
    create table nppes_next.word (like nppes.word)`);
}

/** Fills the next addresses from the staging table, each NPI once; returns how many there are. */
export async function fillAddresses(client: pg.ClientBase): Promise<number> {
  const { rowCount } = await client.query(`
    insert into nppes_next.address (${columns})
    select ${columns} from nppes_import.staged
    order by length(name_words), name_words, npi`);
  const copies = await client.query(`
    delete from nppes_next.address a using (
      select npi, max(ctid) as last from nppes_next.address group by npi having count(*) > 1
    ) twice where a.npi = twice.npi and a.ctid <> twice.last`);
  return (rowCount ?? 0) - (copies.rowCount ?? 0);
}

/** Counts the words of the next addresses, with the spellings that lack one letter. */
export async function countWords(client: pg.ClientBase): Promise<void> {
  await client.query(`
    insert into nppes_next.word (word, addresses, misspelt)
    select word, n, case when word ~ '^[a-z]{4,30}$' then (
      select array_to_tsvector(array_agg(left(word, i - 1) || substr(word, i + 1)) || word) from generate_series(1, length(word)) i
    ) end
    from (
      select word, count(*)::int as n from nppes_next.address, unnest(string_to_array(words, ' ')) word group by word
    ) counted`);
}

/** Gives the next tables the indexes of the present ones, statistics, and the app's rights. */
export async function indexNextSchema(client: pg.ClientBase): Promise<void> {
  const indexes = await client.query<{ indexdef: string }>(
    `select indexdef from pg_indexes where schemaname = 'nppes' order by indexname`,
  );
  for (const { indexdef } of indexes.rows) await client.query(indexdef.replace(' ON nppes.', ' ON nppes_next.'));
  await client.query('analyze nppes_next.address, nppes_next.word');
  await client.query(`
    grant usage on schema nppes_next to anteroom_app;
    grant select on all tables in schema nppes_next to anteroom_app`);
}

/** Replaces the tables of the search by the next ones. */
export async function swapSchemas(client: pg.ClientBase): Promise<void> {
  await client.query('drop schema nppes cascade; alter schema nppes_next rename to nppes');
}
